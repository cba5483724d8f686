// The page that Google sends the window back to: it hands what came with it to the dashboard in the same browser, which
// is signed in, and keeps nothing itself.

import { registerLinkPage } from '../../auth/link-page.ts';
import type { App } from '../../frame/app.ts';
import { RETURN_PATH } from './sign-ins.ts';

/** The dashboard answers at once where it waits. */
const SCRIPT = `
const [state, code, error] = ['state', 'code', 'error'].map((name) => given.get(name));
if (error) return say('Google was not allowed to show the calendar (' + error.replace(/[^a-z_]/g, '') + '). Close this window, and begin again.', false);
if (!state || !code) return say('This address is incomplete. Close this window, and begin again.', false);
say('One moment …', true);
const channel = new BroadcastChannel('calendar-sign-in');
let isTaken = false;
channel.onmessage = ({ data }) => {
  if (data.taken !== state) return;
  isTaken = true;
  say('You are signed in. Close this window, and choose the calendar.', true);
  window.close();
};
channel.postMessage({ state, code });
setTimeout(() => {
  if (!isTaken) say('No dashboard waits for this in this browser. For the API: ' + JSON.stringify({ state, code }), false);
}, 3000);
`;

export function registerReturnPage(app: App): void {
  registerLinkPage(app, {
    path: RETURN_PATH,
    title: 'Calendars of Google',
    form: '',
    withoutScript:
      'Without it, send <code>state</code> and <code>code</code> of its address to <code>POST /api/v1/calendar-sign-ins/ID/code</code>.',
    script: SCRIPT,
  });
}
