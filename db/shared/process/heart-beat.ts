// Tells the supervisor that this process's first thread still turns (watchdog.mjs).

const BEAT_EVERY_MS = 1_000;

/** Once it is up: loading may hold the thread up for longer. Without a supervisor nothing is told. */
export function beatForSupervisor(): void {
  if (process.send === undefined) return;
  const beat = (): void => {
    // The channel closes before the end of the supervisor is known.
    if (process.connected) process.send?.({ type: 'beat' }, undefined, undefined, () => undefined);
  };
  beat();
  setInterval(beat, BEAT_EVERY_MS).unref();
}
