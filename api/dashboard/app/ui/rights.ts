// The rights of the signed-in user, so that nobody is offered what the service would refuse.
import { session } from '../session.ts';

/** `work`: calls, contacts, texts, appointments; `own`: everybody's own credentials. */
export type Right = 'own' | 'work' | 'change';

export function may(right: Right): boolean {
  const access = session.value?.user.access;
  return right === 'own' || (access !== 'viewer' && (right === 'work' || access !== 'operator'));
}

/** Whether the user may do what the page at an address is for. */
export const mayOpen = (address: string): boolean =>
  !/\/(new|buy|talk|start)(\?|$)/.test(address) || may(/calls\/new|talk/.test(address) ? 'work' : 'change');
