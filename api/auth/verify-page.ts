// The page that the link in a verification mail opens. It needs nothing else: its script sends the token of its own address to
// the API and says what came of it. Its address is cleaned at once, so that the token stays in no history.
import { createHash } from 'node:crypto';
import type { App } from '../app.ts';

const STYLE = `
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem; color: #1b1b1b; }
#result.bad { color: #a11; }
`;

// Relative addresses: a proxy may serve all of it below a path.
const SCRIPT = `
(async () => {
  const result = document.getElementById('result');
  const say = (text, good) => {
    result.textContent = text;
    result.className = good ? 'good' : 'bad';
  };
  const token = new URLSearchParams(location.search).get('token');
  history.replaceState(null, '', location.pathname);
  if (!token) return say('This link is incomplete: open it as it stands in the mail.', false);
  try {
    const answer = await fetch('api/v1/auth/verify-email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (answer.ok) return say('Your e-mail address is verified. You can sign in now.', true);
    const { code, error } = await answer.json();
    say(
      code === 'INVALID_VERIFICATION_TOKEN'
        ? 'This link is used or too old. Ask for another mail, or sign in if you have used it already.'
        : error,
      false,
    );
  } catch {
    say('The service cannot be reached. Try again in a moment.', false);
  }
})();
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verify your e-mail address</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Verify your e-mail address</h1>
<p id="result" role="status">One moment …</p>
<noscript><p>This page needs JavaScript. Without it, send the token of the link as <code>{"token": "…"}</code> to <code>POST /api/v1/auth/verify-email</code>.</p></noscript>
<script>${SCRIPT}</script>
</body>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function registerVerifyPage(app: App): void {
  app.get('/verify-email', { config: { public: true, bare: true }, schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(PAGE),
  );
}
