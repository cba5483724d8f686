// The one rule by which calls leave, single ones and the dialler's: by the trunk of the calling number, else by the
// oldest.

/** Null where no trunk is configured. `oldestFirst`: the trunks in service. */
export function outboundTrunkId(ownTrunkId: string | null, oldestFirst: readonly string[]): string | null {
  if (ownTrunkId !== null && oldestFirst.includes(ownTrunkId)) return ownTrunkId;
  return oldestFirst[0] ?? null;
}
