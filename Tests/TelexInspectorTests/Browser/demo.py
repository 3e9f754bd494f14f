"""Looks at the 200 calls of a demo app, and prints what the page shows."""

import json
import sys

from browser import Browser

program, url, pictures = sys.argv[1:4]
browser = Browser(program)

# All rows, read while the list is scrolled from its beginning to its end.
READ = """(async () => {
  const [scroll, found] = [document.getElementById("scroll"), new Map()];
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (let top = 0; ; top += scroll.clientHeight / 2) {
    scroll.scrollTop = top;
    await frame();
    for (const row of document.querySelectorAll("#rows .row:not([hidden])")) {
      const text = (name) => row.querySelector("." + name).textContent;
      found.set(row.dataset.id, {
        tone: row.className.replace("row ", ""), status: text("status"), method: row.querySelector("b").textContent, time: text("time"),
        tries: text("tries"), queue: text("queue"), owner: text("owner"),
        line: row.querySelector(".line").getAttribute("aria-label"),
        bars: [...row.querySelectorAll(".bar:not([hidden])")].map((bar) => bar.dataset.kind),
      });
    }
    if (top + scroll.clientHeight >= scroll.scrollHeight) return [...found.values()];
  }
})()"""


def picture(page, name):
    if pictures:
        page.picture(f"{pictures}/{name}.png")


def opened(page):
    """Waits until the chosen call is shown."""
    page.wait("document.getElementById('detail').dataset.id && document.getElementById('detail').dataset.id"
              " === document.querySelector('#rows [aria-selected=true]')?.dataset.id")


def choose(page, method, status, tries=""):
    """Opens the first call of a method with a status, and a number of tries."""
    page.run(f"document.getElementById('text').value = {json.dumps(method)};"
             "document.getElementById('text').dispatchEvent(new Event('input'))")
    page.wait("document.querySelector('#rows .row:not([hidden])')"
              f" && [...document.querySelectorAll('#rows .row:not([hidden]) b')].every((b) => b.textContent.startsWith({json.dumps(method)}))")
    # Which rows are drawn depends on the order of the calls: the list is scrolled until one fits.
    page.wait("(() => { const scroll = document.getElementById('scroll');"
              " const row = [...document.querySelectorAll('#rows .row:not([hidden])')].find((row) =>"
              f" row.querySelector('.status').textContent === {json.dumps(status)}"
              f" && row.querySelector('.tries').textContent.startsWith({json.dumps(tries)}));"
              " if (row) row.click();"
              " else if (scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - 1) scroll.scrollTop = 0;"
              " else scroll.scrollTop += scroll.clientHeight / 2;"
              " return row; })()")
    opened(page)


def tab(page, name):
    page.run(f"document.getElementById('tab-{name}').click()")
    return page.run("document.getElementById('panel').innerText")


def counts(page):
    return page.run("document.getElementById('counts').textContent")


def filtered(page, script):
    page.run(script)
    page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return counts(page)


try:
    facts = {}
    page = browser.open(url)
    page.wait("document.getElementById('counts').textContent.startsWith('202 calls')")
    facts["counts"] = counts(page)
    facts["live"] = page.run("document.getElementById('live').textContent")
    facts["rows"] = page.run(READ)
    facts["owners"] = page.run("[...document.querySelectorAll('#owners option')].map((o) => o.value)")

    # Filters.
    status = "document.querySelector('[data-status=%s]').click()"
    facts["filters"] = {
        name: filtered(page, status % name)
        for name in ("client", "server", "failed", "running", "violations", "ok", "all")}
    facts["text"] = filtered(
        page, "document.getElementById('text').value = 'RENAME';"
        "document.getElementById('text').dispatchEvent(new Event('input'))")
    picture(page, "queue")
    facts["both"] = filtered(
        page, "document.getElementById('owners').value = 'feed';"
        "document.getElementById('owners').dispatchEvent(new Event('change'))")
    facts["nothing"] = page.run("!document.getElementById('nothing').hidden")
    facts["shownAgain"] = filtered(page, "document.getElementById('all').click()")

    # The time line of the refresh.
    page.run("document.getElementById('text').value = 'account';"
             "document.getElementById('text').dispatchEvent(new Event('input'))")
    page.run("document.getElementById('scroll').scrollTop = 0")
    picture(page, "refresh")

    # A call.
    choose(page, "account.get", "200", tries="2")
    facts["parts"] = page.run("[...document.querySelectorAll('.part')].map((part) => part.firstChild.textContent)")
    facts["log"] = page.run("[...document.querySelectorAll('.log span')].map((item) => item.textContent)")
    picture(page, "detail")
    facts["request"] = tab(page, "request")
    facts["exchanges"] = page.run("[...document.querySelectorAll('.tools button')].map((b) => b.textContent)")
    facts["reply"] = tab(page, "reply")
    picture(page, "reply")
    page.wait("document.querySelector('.tools button')")
    page.run("document.querySelector('.tools button').click()")
    facts["firstReply"] = page.run("document.getElementById('panel').innerText")
    tab(page, "curl")
    facts["curl"] = page.run("document.getElementById('curl').textContent")
    facts["har"] = page.run("fetch(document.querySelector('.tools a').href).then((reply) => reply.json()).then((har) => har.log.entries.length)")
    page.run(status % "violations")
    choose(page, "pictures.list", "200")
    facts["violations"] = tab(page, "violations")
    picture(page, "violations")
    page.run(status % "all")

    # Keys.
    page.key("Escape")
    facts["closed"] = page.run("document.getElementById('detail').hidden")
    page.run("document.getElementById('all').click()")
    page.key("Home")
    page.key("ArrowDown")
    page.wait("document.querySelector('[aria-selected=true]')?.getAttribute('aria-rowindex') === '3'")
    facts["active"] = page.run(
        "document.getElementById(document.getElementById('grid').getAttribute('aria-activedescendant'))"
        ".getAttribute('aria-rowindex')")
    opened(page)
    page.key("Enter")
    facts["tab"] = page.run("document.activeElement.getAttribute('role')")
    page.key("Escape")
    page.key("/")
    facts["focus"] = page.run("document.activeElement.id")

    # The archive of all.
    facts["archive"] = page.run(
        "fetch('/har').then((reply) => reply.json()).then((har) => har.log.entries.length)")

    # Each control has a name.
    facts["nameless"] = page.run(
        "[...document.querySelectorAll('button, input, select, a')].filter((e) =>"
        " !(e.textContent.trim() || e.getAttribute('aria-label'))).map((e) => e.outerHTML)")

    # What is drawn.
    page.run("document.activeElement.blur(); document.getElementById('scroll').scrollTop = 100 * 28")
    picture(page, "light")
    facts["light"] = page.run("getComputedStyle(document.body).backgroundColor")
    facts["problems"] = page.problems()

    dark = browser.open(url, dark=True)
    dark.wait("document.getElementById('counts').textContent.startsWith('202 calls')")
    facts["dark"] = dark.run("getComputedStyle(document.body).backgroundColor")
    dark.run("document.getElementById('scroll').scrollTop = 120 * 28")
    picture(dark, "dark")
    choose(dark, "pictures.search", "404")
    picture(dark, "dark-detail")

    phone = browser.open(url, width=390, height=780)
    phone.wait("document.getElementById('counts').textContent.startsWith('202 calls')")
    facts["phone"] = phone.run("[document.documentElement.scrollWidth, innerWidth]")
    picture(phone, "phone")
    choose(phone, "account.get", "200")
    facts["phoneDetail"] = phone.run("[document.documentElement.scrollWidth, innerWidth,"
                                     " document.getElementById('detail').getBoundingClientRect().width]")
    picture(phone, "phone-detail")
    facts["problems"] += dark.problems() + phone.problems()
    print(json.dumps(facts))
finally:
    browser.close()
