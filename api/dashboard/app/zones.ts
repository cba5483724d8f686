// Time zones by name, and the current time in each.
export const ZONES: ReadonlyArray<{ value: string }> = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "Tuesday, 14:05"; null for an unknown zone. */
export function clockIn(zone: string, nowMs = Date.now()): string | null {
  try {
    return new Intl.DateTimeFormat(undefined, {
      timeZone: zone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
    }).format(nowMs);
  } catch {
    return null;
  }
}
