// A page for the link in a mail, without other files: its script sends the token from its own address to the API and
// shows the result. It removes the token from its address at once, so that no history contains it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { App } from '../frame/app.ts';

interface LinkPage {
  path: string;
  title: string;
  /** Between the heading and the result. */
  form: string;
  /** For a reader without JavaScript, as HTML. */
  withoutScript: string;
  script: string;
}

const TOKENS = readFileSync(new URL('../dashboard/app/styles/tokens.css', import.meta.url), 'utf8');

/** The dashboard's style, copied from its design tokens: these pages look the same and work without its bundle. */
const STYLE = `
${TOKENS}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; place-content: center; gap: var(--space-5);
  grid-template-columns: min(24rem, calc(100vw - 2rem)); padding-block: var(--space-5);
  background: var(--page); color: var(--ink); font: var(--text) / 1.5 var(--font); }
p, h1, form { margin: 0; }
h1 { font-size: var(--text-title); line-height: 1.25; font-weight: 600; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.brand { display: flex; justify-content: center; align-items: center; gap: var(--space-2);
  font-size: var(--text-large); font-weight: 650; }
.brand svg { color: var(--accent); }
main, form { display: grid; gap: var(--space-4); }
form[hidden] { display: none; }
main { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
  box-shadow: var(--shadow); padding: var(--space-4); }
label { display: grid; gap: var(--space-1); font-weight: 500; }
input { width: 100%; min-height: 2.25rem; padding: 0.35rem 0.6rem; border: 1px solid var(--line-strong);
  border-radius: var(--radius); background: var(--surface); color: var(--ink); font: inherit; }
button { min-height: 2.25rem; padding: 0.3rem 0.9rem; border: 1px solid var(--accent); border-radius: var(--radius);
  background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 500; cursor: pointer; }
button:disabled { opacity: 0.6; cursor: default; }
#result { padding: var(--space-3); border-radius: var(--radius); }
#result:empty { display: none; }
#result.good { background: var(--good-soft); }
#result.bad { background: var(--bad-soft); color: var(--bad); }
.below { font-size: var(--text-small); }
`;

const BRAND = `<div class="brand">
<svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" aria-hidden="true"><path d="M2 10h2M6 6v8M10 3v14M14 6v8M18 10h0" stroke-width="2" stroke-linecap="round"/></svg>
Voice Calls
</div>`;

/**
 * The start of every page's script: the token, `say`, and `send`, which returns whether it succeeded. Addresses are
 * relative, because a proxy may serve the service below a path.
 */
const COMMON_SCRIPT = `
const given = new URLSearchParams(location.search);
const token = given.get('token');
history.replaceState(null, '', location.pathname);
const say = (text, good) => {
  const result = document.getElementById('result');
  result.textContent = text;
  result.className = good ? 'good' : 'bad';
};
const send = async (address, body, refusals) => {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.ok) return true;
    const { code, error, errors } = await answer.json();
    say(refusals[code] ?? errors?.[0]?.message ?? error, false);
  } catch {
    say('The service cannot be reached. Try again in a moment.', false);
  }
  return false;
};
const INCOMPLETE = 'This link is incomplete: open it as it stands in the mail.';
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const contentSecurityPolicy = (script: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export function registerLinkPage(app: App, page: LinkPage): void {
  const script = `(() => {${COMMON_SCRIPT}${page.script}})();`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Voice Calls</title>
<style>${STYLE}</style>
</head>
<body>
${BRAND}
<main>
<h1>${page.title}</h1>
${page.form}<p id="result" role="status"></p>
<noscript><p>This page needs JavaScript. ${page.withoutScript}</p></noscript>
</main>
<div class="below"><a href="./#/sign-in">Sign in</a></div>
<script>${script}</script>
</body>
</html>
`;
  const policy = contentSecurityPolicy(script);
  app.get(page.path, { config: { public: true, bare: true }, schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(html),
  );
}
