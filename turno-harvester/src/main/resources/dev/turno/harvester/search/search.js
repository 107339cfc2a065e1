// The address of the page holds the whole search, so that it can be shared and the browser's buttons work.
const SIZE = 20;
const TITLES = {
  network_acronym_str: "Network", format: "Type", language: "Language", publishDate: "Year", eu_rights_str_mv: "Access",
};
const element = (id) => document.getElementById(id);

/** Text only ever becomes text: what a repository wrote is never taken for HTML. */
function make(tag, text, className) {
  const made = document.createElement(tag);
  made.textContent = text ?? "";
  if (className) made.className = className;
  return made;
}

function go(change) {
  const arguments_ = new URLSearchParams(location.search);
  change(arguments_);
  history.pushState(null, "", "?" + arguments_);
  show();
}

function hit(document_) {
  const fields = document_.fields;
  const item = make("li");
  const heading = make("h2");
  const link = (fields.url ?? []).find((url) => /^https?:\/\//.test(url));
  const title = make(link ? "a" : "span", fields.title?.[0] ?? fields.oai_identifier_str?.[0]);
  if (link) title.href = link;
  heading.append(title);
  item.append(heading);
  if (fields.author) item.append(make("p", fields.author.join("; ")));
  const about = [fields.publishDate?.[0], fields.format?.[0], fields.network_name_str?.[0]].filter(Boolean);
  item.append(make("p", about.join(" · "), "small"));
  if (fields.description) item.append(make("p", fields.description[0].slice(0, 300), "small"));
  return item;
}

function facet(name, counts, chosen) {
  const parts = [make("h2", TITLES[name] ?? name)];
  for (const { value, count } of counts.slice(0, 10)) {
    const button = make("button", `${value} (${count})`);
    button.setAttribute("aria-pressed", String(chosen === value));
    button.onclick = () => go((all) => {
      if (chosen === value) all.delete(name); else all.set(name, value);
      all.delete("from");
    });
    parts.push(button);
  }
  return counts.length ? parts : [];
}

let last = 0;
async function show() {
  const mine = ++last;
  const wanted = new URLSearchParams(location.search);
  const from = Number(wanted.get("from") ?? 0);
  element("words").value = wanted.get("q") ?? "";
  wanted.set("size", SIZE);
  try {
    const response = await fetch("api/v1/search?" + wanted);
    const result = await response.json();
    if (mine !== last) return;
    if (!response.ok) throw new Error(result.detail ?? response.statusText);
    const end = Math.min(from + SIZE, result.total);
    element("status").textContent = result.total ? `${from + 1} to ${end} of ${result.total}` : "Nothing found.";
    element("hits").replaceChildren(...result.hits.map(hit));
    element("facets").replaceChildren(
      ...Object.entries(result.facets).flatMap(([name, counts]) => facet(name, counts, wanted.get(name))));
    element("previous").hidden = from === 0;
    element("next").hidden = end >= result.total;
  } catch (problem) {
    element("status").textContent = "The search failed: " + problem.message;
  }
}

element("form").onsubmit = (event) => {
  event.preventDefault();
  go((all) => {
    all.set("q", element("words").value);
    all.delete("from");
  });
};
element("next").onclick = () => go((all) => all.set("from", Number(all.get("from") ?? 0) + SIZE));
element("previous").onclick = () => go((all) => all.set("from", Math.max(0, Number(all.get("from") ?? 0) - SIZE)));
addEventListener("popstate", show);
show();
