// An outbound call that rings since another process has dialled it: the state of its INVITE as JSON, and the routes
// that are left to it. The trunks may not be known yet when the call goes on.
import type { AttemptRoute, DialRoute } from '../../dialog/dial-route.ts';
import type { DialRequest } from '../../telephony.ts';
import type { HuntState } from '../shared/route-hunt.ts';
import type { AttemptState } from './attempt-state.ts';

/** The state from which another process goes on with the call, as JSON. */
export interface OutboundState {
  request: Omit<DialRequest, 'beforeInvite'>;
  ringLeftMs: number;
  hunt: HuntState;
  attempt: AttemptState;
}

/** The routes of a request, as soon as the trunks are known. @throws {TelephonyError} as `AgentParts.routesFor` */
export type FindRoutes = (trunkIds: string[]) => Promise<readonly DialRoute[]>;

/** The route on which another process has sent its INVITE. */
export function currentRoute({ hunt, attempt }: OutboundState, find: FindRoutes): DialRoute {
  const { trunkId } = attempt.route.peer;
  const known = async (): Promise<DialRoute | undefined> => (await find(trunkId === null ? [] : [trunkId]))[0];
  return {
    trunkId,
    name: trunkId ?? attempt.route.requestUri,
    destinations: async () => hunt.destinations,
    at: (destination): AttemptRoute => ({ ...attempt.route, destination }),
    redirect: async (target, from) => (await known())?.redirect(target, from) ?? null,
    // A trunk that is gone needs no report.
    report: (failure) =>
      void known().then(
        (route) => route?.report(failure),
        () => undefined,
      ),
  };
}

/** A trunk that has not been tried. */
export function laterRoute(trunkId: string, find: FindRoutes): DialRoute {
  let found: DialRoute | undefined;
  return {
    trunkId,
    name: trunkId,
    destinations: async () => {
      [found] = await find([trunkId]);
      return found === undefined ? [] : found.destinations();
    },
    at: (destination) => {
      if (found === undefined) throw new Error('a trunk was dialled before it was found');
      return found.at(destination);
    },
    redirect: async (target, from) => found?.redirect(target, from) ?? null,
    report: (failure) => found?.report(failure),
  };
}
