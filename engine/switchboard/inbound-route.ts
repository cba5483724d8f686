// Whose call an INVITE is: by its called number, which may be readable in two ways, or by the softphone that sent it;
// and how its numbers were read, for the page of its trunk.
import { routeInbound, routeSoftphone } from '../../db/rules/routing.ts';
import type { Db } from '../../db/schema.ts';
import type { Clock } from '../clock.ts';
import type { InboundLeg } from '../sip/telephony.ts';
import type { ReadInvite } from '../sync/read-invites.ts';

type Parties = Pick<InboundLeg, 'called' | 'caller' | 'divertedFrom'>;

type Route = Awaited<ReturnType<typeof routeSoftphone>>;

interface FoundRoute {
  route: Route;
  /** By the reading that counts. */
  parties: Parties;
  /** Null for an INVITE of no trunk. */
  reading: ReadInvite | null;
}

const isOurs = (route: Route): boolean => route.found || route.reason !== 'unknown_number';

/** A called number that can be read in two ways is the one that is ours. */
export async function inboundRouteOf(leg: InboundLeg, deps: { read: Db; clock: Clock }): Promise<FoundRoute> {
  const { read, clock } = deps;
  const routeOf = ({ called, caller, divertedFrom }: Parties): Promise<Route> => {
    const forwardedFrom = divertedFrom.at(-1) ?? null;
    const asked = { forwardedFrom, callerNumber: caller.number, nowMs: clock.nowMs() };
    return leg.sipAccountId === null
      ? routeInbound(read, called, asked)
      : routeSoftphone(read, leg.sipAccountId, asked);
  };
  const found = (route: Route, parties: Parties): FoundRoute => ({
    route,
    parties,
    reading: readingOf(leg, parties, route),
  });
  const first = await routeOf(leg);
  const { otherwise = null } = leg;
  if (isOurs(first) || otherwise === null) return found(first, leg);
  const second = await routeOf(otherwise);
  return isOurs(second) ? found(second, otherwise) : found(first, leg);
}

function readingOf({ trunkId, reading }: InboundLeg, parties: Parties, route: Route): ReadInvite | null {
  if (trunkId === null || reading === undefined) return null;
  return {
    ...reading,
    trunkId,
    calledNumber: route.found ? (route.number?.phoneNumber ?? parties.called) : parties.called,
    callerNumber: parties.caller.number,
    // The leg cannot know which of two readings is a number of ours.
    rule: reading.rule === 'e164_first' && isOurs(route) ? 'own_number' : reading.rule,
  };
}
