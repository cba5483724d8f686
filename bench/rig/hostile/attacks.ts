// All attacks, in the order in which they are tried.
import type { Attack } from './attack.ts';
import { connections, guesses, oddBodies, registrations, unreadPages, upgrades } from './http-attacks.ts';
import { longHeading, longLine, manySounds, quotedTable, wideSchemas } from './reading-attacks.ts';
import { movedTool, pings } from './server-attacks.ts';
import { bleed, flood, forgedPhone, halfRequests, passwords, unacknowledged, unasked } from './sip-attacks.ts';
import { blanks, disk, everyPlace, longLists, moreTokens, oddWords, toll, unreadLists } from './tenant-attacks.ts';

export const ATTACKS: readonly Attack[] = [
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
  forgedPhone,
  passwords,
  halfRequests,
  blanks,
  toll,
  everyPlace,
  disk,
  unreadLists,
  moreTokens,
  oddWords,
  longLine,
  longHeading,
  quotedTable,
  pings,
  wideSchemas,
  manySounds,
  movedTool,
  longLists,
];
