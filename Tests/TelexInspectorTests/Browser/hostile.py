"""Looks at calls whose texts want to run a script, in every part of the page."""

import json
import sys

from browser import Browser

program, url, _ = sys.argv[1:4]
browser = Browser(program)
try:
    page = browser.open(url)
    page.run("window.ran = []; window.alert = (text) => window.ran.push(text)")
    page.wait("document.querySelector('#rows .row:not([hidden])')")
    facts = {"texts": [], "lines": page.run("document.getElementById('counts').textContent")}
    rows = page.run("[...document.querySelectorAll('#rows .row:not([hidden])')].map((row) => Number(row.dataset.id))")
    for row in rows:
        page.run(f"document.querySelector('[data-id=\"{row}\"]').click()")
        page.wait(f"document.getElementById('detail').dataset.id === '{row}'")
        for tab in ("line", "request", "reply", "violations", "curl"):
            page.run(f"document.getElementById('tab-{tab}').click()")
            facts["texts"].append(page.run("document.getElementById('detail').textContent"))
    # What a click on anything does, besides the controls of the page itself.
    facts["links"] = page.run("[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))")
    facts["ran"] = page.run("window.ran")
    facts["marks"] = page.run("document.querySelectorAll('img, iframe, object, embed, svg, link, base, form:not(#filters)').length")
    facts["scripts"] = page.run("document.querySelectorAll('script').length")
    facts["handlers"] = page.run(
        "[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes]).filter((a) =>"
        " a.name.startsWith('on') || /^\\s*javascript:/i.test(a.value) && a.name === 'href').length")
    facts["problems"] = page.problems()
    # A script that got into the page in spite of all that does not run.
    facts["injected"] = page.run("""(async () => {
      const script = document.createElement("script");
      try { script.textContent = "window.injected = 1"; document.body.append(script); } catch {}
      try { document.body.innerHTML += "<img src=x onerror='window.injected = 2'>"; } catch {}
      try { eval("window.injected = 3"); } catch {}
      await new Promise((done) => setTimeout(done));
      return window.injected ?? 0;
    })()""")
    print(json.dumps(facts))
finally:
    browser.close()
