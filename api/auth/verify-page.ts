// The page of the link in a verification mail.
import type { App } from '../frame/app.ts';
import { registerLinkPage } from './link-page.ts';

const SCRIPT = `
if (!token) return say(INCOMPLETE, false);
say('One moment …', true);
return send('api/v1/auth/verify-email', { token }, {
  INVALID_VERIFICATION_TOKEN: 'This link is used or too old. Ask for another mail, or sign in if you have used it already.',
}).then((good) => {
  if (good) say('Your e-mail address is verified. You can sign in now.', true);
});
`;

export function registerVerifyPage(app: App): void {
  registerLinkPage(app, {
    path: '/verify-email',
    title: 'Verify your e-mail address',
    form: '',
    withoutScript:
      'Without it, send the token of the link as <code>{"token": "…"}</code> to <code>POST /api/v1/auth/verify-email</code>.',
    script: SCRIPT,
  });
}
