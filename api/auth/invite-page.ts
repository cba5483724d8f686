// The page of the link in an invitation: it asks twice for a password and sets it, which also verifies the address.
import type { App } from '../frame/app.ts';
import { registerLinkPage } from './link-page.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './passwords.ts';

const FORM = `<form id="form">
<p>Choose a password of ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.</p>
<label>Password <input id="password" type="password" autocomplete="new-password" required minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}"></label>
<label>The same again <input id="again" type="password" autocomplete="new-password" required></label>
<button id="send">Set the password</button>
</form>
`;

const SCRIPT = `
const form = document.getElementById('form');
const button = document.getElementById('send');
if (!token) {
  form.hidden = true;
  return say(INCOMPLETE, false);
}
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const password = document.getElementById('password').value;
  if (password !== document.getElementById('again').value) return say('The two passwords differ.', false);
  button.disabled = true;
  const good = await send('api/v1/auth/accept-invite', { token, password }, {
    INVALID_VERIFICATION_TOKEN: 'This invitation is used or too old. Ask for another, or sign in if you have used it already.',
  });
  button.disabled = false;
  if (!good) return;
  form.hidden = true;
  say('Your password is set and your e-mail address is verified. You can sign in now.', true);
});
`;

export function registerInvitePage(app: App): void {
  registerLinkPage(app, {
    path: '/accept-invite',
    title: 'Accept the invitation',
    form: FORM,
    withoutScript:
      'Without it, send <code>{"token": "…", "password": "…"}</code> with the token of the link to <code>POST /api/v1/auth/accept-invite</code>.',
    script: SCRIPT,
  });
}
