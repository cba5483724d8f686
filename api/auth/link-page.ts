// A page that the link in a mail opens. It needs nothing else: its script sends the token of its own address to the API and
// says what came of it. Its address is cleaned at once, so that the token stays in no history.
import { createHash } from 'node:crypto';
import type { App } from '../app.ts';

export interface LinkPage {
  path: string;
  title: string;
  /** Between the heading and the result. */
  form: string;
  /** For a reader without JavaScript, as HTML. */
  withoutScript: string;
  script: string;
}

const STYLE = `
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem; color: #1b1b1b; }
label { display: block; margin: 1rem 0; }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .4rem; }
button { font: inherit; padding: .4rem 1rem; }
#result.bad { color: #a11; }
`;

/**
 * What every page's script begins with: the token, `say`, and `send`, which answers whether it went well. Relative
 * addresses: a proxy may serve all of it below a path.
 */
const COMMON_SCRIPT = `
const token = new URLSearchParams(location.search).get('token');
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
<title>${page.title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${page.title}</h1>
${page.form}<p id="result" role="status"></p>
<noscript><p>This page needs JavaScript. ${page.withoutScript}</p></noscript>
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
