"use strict";

// Text of calls is hostile. It is only ever the text of a node, a title or a label: never markup, an
// address, a class or a style.

const kinds = {
  waiting: "Waiting", sending: "Sending", server: "Server", receiving: "Receiving",
  "back-off": "Back-off", postponed: "Postponed", refresh: "Refresh", suspended: "Suspended",
};
const statuses = {
  all: ["All", () => true],
  ok: ["2xx", (call) => range(call) === 2],
  redirect: ["3xx", (call) => range(call) === 3],
  client: ["4xx", (call) => range(call) === 4],
  server: ["5xx", (call) => range(call) === 5],
  failed: ["Failed", (call) => call.state === "failed"],
  running: ["Running", (call) => call.state === "running"],
  violations: ["Violations", (call) => call.violations > 0],
};
const range = (call) => Math.floor((call.status ?? 0) / 100);
const byID = (id) => document.getElementById(id);

/// Makes an element. Children that are texts become text nodes.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

// MARK: Words

function duration(time) {
  if (time < 0) return `−${duration(-time)}`;
  if (time < 9.95) return `${time.toFixed(time === 0 ? 0 : 1)} ms`;
  if (time < 999.5) return `${Math.round(time)} ms`;
  if (time < 59995) return `${(time / 1000).toFixed(2)} s`;
  const seconds = Math.round(time / 1000);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
}

function clock(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const two = (number) => String(number).padStart(2, "0");
  const millis = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${millis}`;
}

function bytes(count) {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/// The kind of a call's row, which is also its class.
function kindOf(call) {
  if (call.state === "running" || call.state === "cancelled") return call.state;
  if (!call.status) return call.state === "failed" ? "failed" : "ok";
  const kind = ["failed", "failed", "ok", "redirect", "client", "server"][range(call)] ?? "failed";
  return call.state === "failed" && (kind === "ok" || kind === "redirect") ? "failed" : kind;
}

function statusWords(call) {
  if (call.state === "running") return call.status ? `${call.status} …` : "…";
  if (call.state === "cancelled") return "cancelled";
  if (call.status) return String(call.status);
  return call.state === "failed" ? "failed" : call.isStored ? "stored" : "done";
}

/// The address without its scheme, as far as it differs between calls.
function path(url) {
  const end = url.indexOf("://");
  const start = end < 0 ? -1 : url.indexOf("/", end + 3);
  return start < 0 ? url : url.slice(start);
}

/// JSON with line breaks. Its numbers and texts stay as they were sent; what is no JSON stays whole.
function pretty(text) {
  try { JSON.parse(text); } catch { return text; }
  let depth = 0;
  const line = () => "\n" + "  ".repeat(depth);
  return text.replace(/"(?:[^"\\]|\\.)*"|[\[{]\s*[\]}]|[\[\]{},:]|\s+/g, (token) => {
    if (token[0] === '"') return token;
    if (/^[\[{]\s*[\]}]$/.test(token)) return token[0] + token.at(-1);
    if (token === "{" || token === "[") { depth += 1; return token + line(); }
    if (token === "}" || token === "]") { depth -= 1; return line() + token; }
    if (token === ",") return token + line();
    return token === ":" ? ": " : "";
  });
}

// MARK: Calls

const calls = new Map();
let view = [];
let latest = 0;
let lost = 0;
/// The first call that the server keeps.
let firstKept = 0;
let chosen = null;
let isPaused = false;
let held = [];
const filter = { text: "", status: "all", owner: "" };
const owners = new Set();

function receive(message) {
  if (isPaused) {
    if (message.reset) held = [];
    held.push(message);
    // What is held is no more than the server keeps: later states replace earlier ones.
    if (held.length > 64) held = [merge(held)];
    return showPause();
  }
  take(message);
}

function merge(messages) {
  const newest = new Map();
  for (const message of messages) {
    for (const call of message.calls) newest.set(call.id, call);
  }
  const last = messages.at(-1);
  for (const id of newest.keys()) if (id < last.first) newest.delete(id);
  return {
    reset: messages.some((message) => message.reset), first: last.first, lost: last.lost,
    calls: [...newest.values()].sort((one, other) => one.id - other.id),
  };
}

function take(message) {
  if (message.reset) calls.clear();
  lost = message.lost;
  for (const call of message.calls) {
    calls.set(call.id, call);
    latest = Math.max(latest, call.end ?? call.start, ...call.bars.map((bar) => call.start + (bar[2] ?? bar[1])));
    if (call.owner && owners.size < 200 && !owners.has(call.owner)) {
      owners.add(call.owner);
      byID("owners").append(make("option", { value: call.owner }, call.owner));
    }
    if (call.id === chosen) refreshDetail();
  }
  if (message.first !== firstKept) {
    firstKept = message.first;
    for (const id of calls.keys()) if (id < firstKept) calls.delete(id);
  }
  applyFilter();
}

function applyFilter() {
  const text = filter.text.toLowerCase();
  const fits = statuses[filter.status][1];
  view = [];
  for (const call of calls.values()) {
    if (filter.owner && call.owner !== filter.owner) continue;
    if (!fits(call)) continue;
    if (text && !`${call.method} ${call.api} ${call.verb} ${call.url}`.toLowerCase().includes(text)) continue;
    view.push(call);
  }
  view.sort((one, other) => one.id - other.id);
  schedule();
}

// MARK: The list

const scroll = byID("scroll");
const rows = byID("rows");
const pool = [];
let rowHeight = 28;
let follows = true;
let next = null;

/// Draws before the next frame: all, or after scrolling the rows alone.
function schedule(isScroll = false) {
  if (next === null) {
    requestAnimationFrame(() => {
      const isRows = next;
      next = null;
      if (isRows) drawRows();
      else draw();
    });
  }
  next = isScroll && next !== false;
}

function draw() {
  rowHeight = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
  byID("head").style.paddingRight = `${16 + scroll.offsetWidth - scroll.clientWidth}px`;
  byID("space").style.height = `${view.length * rowHeight}px`;
  if (follows) scroll.scrollTop = view.length * rowHeight;
  drawRows();
  drawCounts();
}

function drawRows() {
  const top = scroll.scrollTop;
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - 4, view.length));
  const count = Math.ceil(scroll.clientHeight / rowHeight) + 8;
  const shown = view.slice(first, first + count);
  while (pool.length < shown.length) {
    const row = makeRow();
    pool.push(row);
    rows.append(row.element);
  }
  rows.style.transform = `translateY(${first * rowHeight}px)`;
  const inView = view.slice(Math.floor(top / rowHeight), Math.ceil((top + scroll.clientHeight) / rowHeight));
  const axis = makeAxis(inView.length ? inView : shown);
  drawTicks(axis);
  pool.forEach((row, index) => {
    const call = shown[index];
    row.element.hidden = !call;
    if (call) fillRow(row, call, first + index, axis);
  });
  const grid = byID("grid");
  grid.setAttribute("aria-rowcount", view.length + 1);
  const selected = pool.find((row) => !row.element.hidden && row.id === chosen);
  if (selected) grid.setAttribute("aria-activedescendant", selected.element.id);
  else grid.removeAttribute("aria-activedescendant");
}

function makeRow() {
  const cell = (name) => make("span", { class: name, role: "gridcell" });
  const row = { id: 0, bars: [] };
  row.words = make("span");
  row.status = make("span", { class: "status", role: "gridcell" }, make("i", { class: "dot" }), row.words);
  row.name = make("b");
  row.address = make("small");
  row.mark = make("em");
  row.method = make("span", { class: "method", role: "gridcell" }, row.name, row.mark, row.address);
  [row.time, row.tries, row.queue, row.owner, row.line] = ["time", "tries", "queue", "owner", "line"].map(cell);
  row.element = make(
    "div", { class: "row", role: "row", id: `row-${pool.length}`, onclick: () => choose(row.id) },
    row.status, row.method, row.time, row.tries, row.queue, row.owner, row.line);
  return row;
}

function fillRow(row, call, index, axis) {
  row.id = call.id;
  const element = row.element;
  element.className = `row ${kindOf(call)}`;
  element.dataset.id = call.id;
  element.setAttribute("aria-rowindex", index + 2);
  element.setAttribute("aria-selected", call.id === chosen);
  row.words.textContent = statusWords(call);
  row.name.textContent = call.method || "call";
  row.mark.textContent = call.violations ? `⚠ ${call.violations}` : "";
  row.mark.title = call.violations ? plural(call.violations, "violation") : "";
  row.address.textContent = call.url ? `${call.verb} ${path(call.url)}` : "";
  row.method.title = `${call.method} ${call.verb} ${call.url}`;
  row.time.textContent = call.end === undefined ? "" : duration(call.end - call.start);
  row.tries.textContent = call.attempts || "";
  row.tries.classList.toggle("many", call.attempts > 1);
  row.queue.textContent = call.isShared ? "shared" : call.queue ?? "";
  row.owner.textContent = call.owner ?? "";
  drawBars(row.line, row.bars, call.bars, call, axis.place);
  row.line.setAttribute("aria-label", barWords(call));
}

function barWords(call) {
  const words = call.bars.map(([kind, start, end]) =>
    `${kinds[kind]?.toLowerCase() ?? "other"} ${end === undefined ? "now" : duration(end - start)}`);
  return words.join(", ") || "no time passed";
}

/// Draws bars into a line; elements that are there already are used again.
function drawBars(line, elements, bars, call, place) {
  const hasRefresh = bars.some(([kind]) => kind === "refresh");
  while (elements.length < bars.length) {
    const element = make("i");
    elements.push(element);
    line.append(element);
  }
  elements.forEach((element, index) => {
    const bar = bars[index];
    element.hidden = !bar;
    if (!bar) return;
    const [kind, start, end] = bar;
    const left = place(call.start + start);
    const right = place(end === undefined ? Math.max(latest, call.start + start) : call.start + end);
    const known = kinds[kind] ? kind : "waiting";
    // What a refresh sends is below it.
    const isBelow = hasRefresh && known !== "refresh";
    element.className = `bar ${known}${end === undefined ? " open" : ""}${isBelow ? " below" : ""}`;
    element.dataset.kind = known;
    element.style.left = `${left}%`;
    element.style.width = `${Math.max(0, right - left)}%`;
    element.title = `${kinds[known]} ${end === undefined ? "…" : duration(end - start)}`;
  });
}

// MARK: The axis

/// The time of some calls, in percent of the width. Time in which none of them runs is folded.
function makeAxis(shown) {
  const spans = shown.map((call) => [call.start, Math.max(call.start, call.end ?? latest)])
    .sort((one, other) => one[0] - other[0]);
  const busy = [];
  for (const [start, end] of spans) {
    const last = busy.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else busy.push([start, end]);
  }
  const total = busy.reduce((sum, [start, end]) => sum + end - start, 0) || 1;
  const fold = total * 0.06;
  const segments = [];
  let width = 0;
  const add = (start, end, length, isFold) => {
    segments.push({ start, end, from: width, length, isFold });
    width += length;
  };
  busy.forEach(([start, end], index) => {
    const before = index ? start - busy[index - 1][1] : 0;
    if (before > 0) add(busy[index - 1][1], start, Math.min(before, fold), before > fold);
    add(start, end, end - start, false);
  });
  width = width || 1;
  const place = (time) => {
    let low = 0;
    let high = segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (segments[middle].start <= time) low = middle; else high = middle - 1;
    }
    const segment = segments[low];
    if (!segment) return 0;
    const share = segment.end > segment.start ? (time - segment.start) / (segment.end - segment.start) : 0;
    const at = segment.from + segment.length * Math.min(1, Math.max(0, share));
    return at / width * 100;
  };
  return { place, segments, width, start: busy[0]?.[0] ?? 0 };
}

function drawTicks(axis) {
  const ticks = byID("ticks");
  ticks.textContent = "";
  if (!axis.segments.length) return;
  // A label takes some 80 points.
  const room = Math.min(80 / (ticks.clientWidth || 800) * 100, 100);
  const rough = axis.width * Math.max(room / 100, 0.2);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  let last = -100;
  const mark = (time, words) => {
    const left = axis.place(time);
    if (left - last < room || left > 100 - room) return;
    last = left;
    const [line, label] = [make("i"), make("b", {}, words)];
    line.style.left = label.style.left = `${left}%`;
    ticks.append(line, label);
  };
  mark(axis.start, clock(axis.start));
  last += room / 4;
  for (const { start, end, from, length, isFold } of axis.segments) {
    if (isFold) {
      const band = make("u");
      band.style.left = `${from / axis.width * 100}%`;
      band.style.width = `${length / axis.width * 100}%`;
      ticks.append(band);
      continue;
    }
    const first = Math.ceil((start - axis.start) / step) * step;
    for (let offset = first, count = 0; axis.start + offset < end && count < 20; offset += step, count += 1) {
      if (offset > 0) mark(axis.start + offset, `+${duration(offset)}`);
    }
  }
}

// MARK: The bar at the top

function drawCounts() {
  let [failed, running] = [0, 0];
  for (const call of view) {
    if (call.state === "failed") failed += 1;
    if (call.state === "running") running += 1;
  }
  const words = [view.length === calls.size ? plural(view.length, "call") : `${view.length.toLocaleString("en")} of ${plural(calls.size, "call")}`];
  if (failed) words.push(`${failed} failed`);
  if (running) words.push(`${running} running`);
  if (lost) words.push(`${plural(lost, "event")} lost by the app`);
  byID("counts").textContent = words.join(" · ");
  byID("empty").hidden = calls.size > 0;
  byID("nothing").hidden = calls.size === 0 || view.length > 0;
}

function showPause() {
  const count = new Set(held.flatMap((message) => message.calls.map((call) => call.id))).size;
  const button = byID("pause");
  button.setAttribute("aria-pressed", isPaused);
  button.textContent = isPaused ? (count ? `Resume · ${count}` : "Resume") : "Pause";
}

function pause() {
  isPaused = !isPaused;
  if (!isPaused && held.length) {
    const message = merge(held);
    held = [];
    take(message);
  }
  showPause();
}

function showLive(name, words) {
  const live = byID("live");
  live.className = name;
  live.lastElementChild.textContent = words;
}

function connect() {
  const source = new EventSource("/events");
  source.onopen = () => showLive("on", "Live");
  source.onmessage = (event) => receive(JSON.parse(event.data));
  source.onerror = () => {
    const isOver = source.readyState === EventSource.CLOSED;
    showLive("off", isOver ? "The inspector refuses this page" : "The inspector has ended");
  };
}

// MARK: A call

/// What the server keeps of the chosen call; `undefined` while it is asked for.
let detail;
let tab = "line";
let exchange = -1;
let isAsking = false;
let asksAgain = false;

function choose(id) {
  chosen = id;
  exchange = -1;
  detail = undefined;
  schedule();
  refreshDetail();
}

async function refreshDetail() {
  if (isAsking) { asksAgain = true; return; }
  isAsking = true;
  const id = chosen;
  try {
    const reply = await fetch(`/calls/${id}`);
    const value = reply.ok ? await reply.json() : null;
    if (id === chosen) {
      detail = value;
      drawDetail();
    }
  } catch {
    showLive("off", "The inspector has ended");
  }
  isAsking = false;
  if (asksAgain || id !== chosen) {
    asksAgain = false;
    if (chosen !== null) refreshDetail();
  }
}

function closeDetail() {
  chosen = null;
  detail = undefined;
  byID("detail").hidden = true;
  byID("detail").replaceChildren();
  byID("detail").dataset.id = "";
  byID("list").classList.remove("narrow");
  byID("grid").focus();
  schedule();
}

const tabs = {
  line: ["Time line", drawLine], request: ["Request", drawRequest], reply: ["Reply", drawReply],
  violations: ["Violations", drawViolations], curl: ["cURL", drawCurl],
};

function drawDetail() {
  if (detail === undefined) return;
  const panel = byID("detail");
  const hadFocus = panel.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  panel.textContent = panel.dataset.id = "";
  panel.hidden = false;
  byID("list").classList.add("narrow");
  const close = make("button", { type: "button", "data-key": "close", "aria-label": "Close", title: "Esc", onclick: closeDetail }, "✕");
  if (!detail) {
    panel.append(make("div", { class: "title" }, make("div", {}, make("h2", {}, "The call is not kept any more")), close));
    return;
  }
  const call = detail;
  panel.dataset.id = call.id;
  const fact = (name, value) => value ? make("div", {}, make("dt", {}, name), make("dd", { title: value }, value)) : null;
  const name = make("h2", {}, make("i", { class: "dot" }), call.method || "call");
  panel.append(
    make("div", { class: `title ${kindOf(call)}` }, make("div", {}, name, make("p", {}, `${call.verb} ${call.url}`)), close),
    make("dl", {},
      fact("Status", statusWords(call)), fact("Time", call.end === undefined ? "running" : duration(call.end - call.start)),
      fact("Tries", String(call.attempts)), fact("Started", clock(call.start)), fact("Queue", call.queue),
      fact("Owner", call.owner), fact("API", call.api), fact("App", call.app), fact("Tags", call.tags?.join(", "))),
    drawTabs(call));
  const body = make("div", { role: "tabpanel", id: "panel", "aria-labelledby": `tab-${tab}`, tabindex: 0, "data-key": "panel" });
  panel.append(body);
  tabs[tab][1](body, call);
  if (hadFocus) panel.querySelector(`[data-key="${hadFocus}"]`)?.focus();
}

function drawTabs(call) {
  const names = Object.keys(tabs);
  const open = (name) => {
    tab = name;
    drawDetail();
    byID(`tab-${name}`)?.focus();
  };
  const list = make("div", { role: "tablist", "aria-label": "Parts of the call", onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) open(names[(names.indexOf(tab) + step + names.length) % names.length]);
  } });
  for (const name of names) {
    const count = name === "violations" && call.deviations.length ? ` ${call.deviations.length}` : "";
    list.append(make("button", {
      type: "button", role: "tab", id: `tab-${name}`, "data-key": `tab-${name}`, "aria-controls": "panel",
      "aria-selected": name === tab, tabindex: name === tab ? 0 : -1, onclick: () => open(name),
    }, tabs[name][0] + count));
  }
  return list;
}

function drawLine(body, call) {
  const axis = makeAxis([call]);
  if (call.bars.length) body.append(make("h3", {}, "What the time went into"));
  for (const bar of call.bars) {
    const line = make("span", { class: "line" });
    drawBars(line, [], [bar], call, axis.place);
    const time = bar[2] === undefined ? "…" : duration(bar[2] - bar[1]);
    body.append(make("div", { class: "part" }, make("span", {}, kinds[bar[0]] ?? "Other"), line, make("span", {}, time)));
  }
  body.append(make("h3", {}, "What happened"));
  const log = make("ol", { class: "log" });
  for (const [time, text] of call.notes) {
    log.append(make("li", {}, make("time", {}, `+${duration(time)}`), make("span", {}, text)));
  }
  body.append(log);
}

/// The exchange that is shown: the last one, or the one that was chosen. Returns nothing if there is none.
function pickExchange(body, call) {
  if (!call.exchanges.length) {
    body.append(make("p", { class: "none" }, call.url ? "Nothing has come back." : "Nothing was sent."));
    return null;
  }
  const index = exchange < 0 ? call.exchanges.length - 1 : Math.min(exchange, call.exchanges.length - 1);
  if (call.exchanges.length > 1) {
    const tools = make("div", { class: "tools", role: "group", "aria-label": "Requests of the call" });
    call.exchanges.forEach((one, place) => {
      const words = `Try ${one.attempt} · ${one.entry?.response?.status || "no reply"}`;
      tools.append(make("button", {
        type: "button", "aria-pressed": place === index, "data-key": `exchange-${place}`,
        onclick: () => { exchange = place; drawDetail(); },
      }, words));
    });
    body.append(tools);
  }
  return call.exchanges[index];
}

function drawFields(body, title, fields) {
  if (!fields?.length) return;
  body.append(make("h3", {}, title));
  const list = make("div", { class: "fields" });
  for (const field of fields) list.append(make("span", {}, field.name), make("span", {}, field.value ?? field.fileName ?? ""));
  body.append(list);
}

function drawBody(body, title, text, type) {
  body.append(make("h3", {}, title));
  if (!text) return body.append(make("p", { class: "none" }, type ? `${type}: the text was not kept` : "None"));
  body.append(make("pre", {}, pretty(text)));
}

function drawRequest(body, call) {
  const request = pickExchange(body, call)?.entry?.request;
  if (!request) return;
  body.append(make("pre", {}, `${request.method} ${request.url}`));
  drawFields(body, "Header fields", request.headers);
  drawFields(body, "Query", request.queryString);
  const data = request.postData;
  if (data) {
    drawFields(body, "Parts", data.params);
    drawBody(body, `Body · ${request.bodySize >= 0 ? bytes(request.bodySize) : "size unknown"}`, data.text, data.mimeType);
  }
}

function drawReply(body, call) {
  const response = pickExchange(body, call)?.entry?.response;
  if (!response) return;
  const words = response.status ? `Status ${response.status}` : "No reply";
  body.append(make("pre", {}, response.comment ? `${words}\n${response.comment}` : words));
  drawFields(body, "Header fields", response.headers);
  const content = response.content ?? {};
  drawBody(body, `Body · ${bytes(content.size ?? 0)}`, content.text, content.size ? content.mimeType || "no type" : "");
}

function drawViolations(body, call) {
  if (!call.deviations.length) body.append(make("p", { class: "none" }, "The call is as the spec says."));
  for (const one of call.deviations) {
    body.append(make("div", { class: "violation" }, one.text, one.place ? make("code", {}, one.place) : null));
  }
}

function drawCurl(body, call) {
  const shown = pickExchange(body, call);
  if (!shown) return;
  const copy = make("button", { type: "button", "data-key": "copy", onclick: async () => {
    copy.textContent = (await copyText(shown.curl)) ? "Copied" : "Copying is refused: select the text";
  } }, "Copy");
  body.append(
    make("div", { class: "tools" }, copy, make("a", { class: "button", href: `/calls/${Number(call.id)}.har`, download: "" }, "HAR of the call")),
    make("pre", { id: "curl" }, shown.curl));
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages from another machine have no clipboard of their own.
    const field = make("textarea", { "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}

// MARK: Input

function move(event) {
  if (event.key === "Enter" && chosen !== null) return byID(`tab-${tab}`)?.focus();
  const page = Math.max(1, Math.floor(scroll.clientHeight / rowHeight) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  const step = steps[event.key];
  if (step === undefined || !view.length) return;
  event.preventDefault();
  const now = view.findIndex((call) => call.id === chosen);
  const start = now < 0 ? (step > 0 ? -1 : view.length) : now;
  const index = Math.min(view.length - 1, Math.max(0, start + step));
  const top = index * rowHeight;
  if (top < scroll.scrollTop) scroll.scrollTop = top;
  if (top + rowHeight > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = top + rowHeight - scroll.clientHeight;
  choose(view[index].id);
}

function begin() {
  for (const [kind, words] of Object.entries(kinds)) {
    byID("legend").append(make("span", {}, make("i", { class: `swatch ${kind}` }), words));
  }
  for (const [name, [words]] of Object.entries(statuses)) {
    byID("statuses").append(make("button", {
      type: "button", "aria-pressed": name === "all", "data-status": name, onclick: () => setStatus(name),
    }, words));
  }
  byID("owners").append(make("option", { value: "" }, "All owners"));
  byID("owners").addEventListener("change", (event) => { filter.owner = event.target.value; applyFilter(); });
  byID("text").addEventListener("input", (event) => { filter.text = event.target.value; applyFilter(); });
  byID("filters").addEventListener("submit", (event) => event.preventDefault());
  byID("pause").addEventListener("click", pause);
  byID("all").addEventListener("click", () => {
    filter.text = byID("text").value = "";
    filter.owner = byID("owners").value = "";
    setStatus("all");
  });
  byID("clear").addEventListener("click", () => {
    fetch("/clear", { method: "POST", headers: { "Content-Type": "application/x-ndjson" } });
  });
  byID("grid").addEventListener("keydown", move);
  scroll.addEventListener("scroll", () => {
    follows = scroll.scrollTop + scroll.clientHeight >= view.length * rowHeight - rowHeight;
    schedule(true);
  }, { passive: true });
  new ResizeObserver(() => schedule()).observe(scroll);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null) return closeDetail();
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); byID("text").focus(); }
    if (event.key === "p") pause();
  });
  connect();
  schedule();
}

function setStatus(name) {
  filter.status = name;
  for (const button of byID("statuses").children) {
    button.setAttribute("aria-pressed", button.dataset.status === name);
  }
  applyFilter();
}

begin();
