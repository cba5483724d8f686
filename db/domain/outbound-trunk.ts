// The one rule for the trunk of an outbound call, single or dialled by a campaign: the trunk of the calling number,
// else the oldest.

/** Null if no trunk is configured. `oldestFirst`: the trunks in service. */
export function outboundTrunkId(ownTrunkId: string | null, oldestFirst: readonly string[]): string | null {
  if (ownTrunkId !== null && oldestFirst.includes(ownTrunkId)) return ownTrunkId;
  return oldestFirst[0] ?? null;
}
