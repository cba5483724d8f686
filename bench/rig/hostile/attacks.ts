// All attacks, in the order in which they are tried: of strangers, then of tenants and of what they bring.
import type { Attack } from './attack.ts';
import { connections, guesses, oddBodies, registrations, unreadPages, upgrades } from './http-attacks.ts';
import { forgedProofs, halfOpen, ownFlood, socketFlood } from './own-line-attacks.ts';
import { longHeading, longLine, manySounds, nestedCalendar, quotedTable, wideSchemas } from './reading-attacks.ts';
import { movedTool, pings } from './server-attacks.ts';
import {
  bleed,
  flood,
  forgedPhone,
  halfRequests,
  longOffers,
  passwords,
  unacknowledged,
  unasked,
} from './sip-attacks.ts';
import {
  blanks,
  disk,
  everyPlace,
  hurriedReaders,
  longLists,
  moreTokens,
  oddWords,
  toll,
  unreadLists,
} from './tenant-attacks.ts';
import { everyVisit, heldPlaces, heldReads, usedUpKey } from './visitor-attacks.ts';
import { webRtcFlood } from './webrtc-attacks.ts';

/** By packets and requests to the ports that are open to everybody. */
export const OF_STRANGERS: readonly Attack[] = [
  unreadPages,
  connections,
  oddBodies,
  registrations,
  guesses,
  upgrades,
  flood,
  unasked,
  bleed,
  unacknowledged,
  longOffers,
  forgedPhone,
  passwords,
  halfRequests,
  longLine,
  webRtcFlood,
  usedUpKey,
  heldReads,
  heldPlaces,
  everyVisit,
  forgedProofs,
  ownFlood,
  socketFlood,
  halfOpen,
];

/** By somebody with an account, or by the texts and servers that one brings. */
export const OF_TENANTS: readonly Attack[] = [
  hurriedReaders,
  blanks,
  toll,
  everyPlace,
  disk,
  unreadLists,
  moreTokens,
  oddWords,
  longHeading,
  quotedTable,
  pings,
  wideSchemas,
  nestedCalendar,
  manySounds,
  movedTool,
  longLists,
];

export const ATTACKS: readonly Attack[] = [...OF_STRANGERS, ...OF_TENANTS];
