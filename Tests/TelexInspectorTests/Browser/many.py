"""Scrolls through 10,000 calls, and looks at what the page keeps."""

import json
import sys

from browser import Browser

program, url, pictures = sys.argv[1:4]
browser = Browser(program)
try:
    page = browser.open(url)
    page.wait("document.getElementById('counts').textContent.startsWith('10,000 calls')")
    facts = {"first": page.run("document.querySelectorAll('#rows .row').length")}
    facts.update(page.run("""(async () => {
      const scroll = document.getElementById("scroll");
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      let [nodes, writes] = [0, 0];
      const observer = new MutationObserver((changes) => {
        for (const change of changes) {
          writes += [...change.addedNodes].filter((node) => node.nodeType === 1).length;
        }
      });
      observer.observe(document.getElementById("rows"), { childList: true, subtree: true });
      const step = scroll.scrollHeight / 200;
      for (let count = 0; count < 200; count += 1) {
        scroll.scrollTop = count * step;
        await frame();
        await frame();
        nodes = Math.max(nodes, document.querySelectorAll("*").length);
      }
      observer.disconnect();
      scroll.scrollTop = scroll.scrollHeight;
      await frame();
      await frame();
      const shown = [...document.querySelectorAll("#rows .row:not([hidden])")];
      return { nodes, writes, last: shown.at(-1).dataset.id, rows: document.querySelectorAll("#rows .row").length };
    })()"""))
    # Two pages at once, and calls that come while one of them is paused.
    other = browser.open(url)
    other.wait("document.getElementById('counts').textContent.startsWith('10,000 calls')")
    page.run("document.getElementById('pause').click()")
    before = page.run("[...document.querySelectorAll('#rows .row:not([hidden])')].at(-1).dataset.id")
    other.run("fetch('/lines', { method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body: "
              + json.dumps("\n".join([
                  json.dumps({"telex-inspector": 1, "app": "Late", "run": "late", "number": 1}),
                  json.dumps({"event": "started", "date": 1e12, "elapsed": 5, "api": "A", "method": "late", "call": "1", "attempt": 0}),
              ])) + " })")
    other.wait("[...document.querySelectorAll('#rows .row:not([hidden])')].at(-1).querySelector('b').textContent === 'late'")
    page.front()
    page.wait("document.getElementById('pause').textContent.startsWith('Resume · ')")
    facts["paused"] = page.run("[...document.querySelectorAll('#rows .row:not([hidden])')].at(-1).dataset.id") == before
    facts["button"] = page.run("document.getElementById('pause').textContent")
    page.run("document.getElementById('pause').click()")
    page.wait("[...document.querySelectorAll('#rows .row:not([hidden])')].at(-1).querySelector('b').textContent === 'late'")
    facts["counts"] = page.run("document.getElementById('counts').textContent")
    other.run("document.getElementById('clear').click()")
    page.wait("!document.getElementById('empty').hidden")
    if pictures:
        page.picture(f"{pictures}/empty.png")
    facts["problems"] = page.problems() + other.problems()
    print(json.dumps(facts))
finally:
    browser.close()
