// Ends a supervised process that stands still: its first thread turns in a circle, or waits for what never comes. Plain
// JavaScript, as the launcher.
const LOOK_EVERY_MS = 1_000;
/** Looks in a row without a beat. Looks are counted, not time: a machine that slept has made none. */
const SILENT_LOOKS_MAX = 15;

/** From its first beat a process is watched. One of an earlier release has no beat, and is not. */
export class Watchdog {
  constructor(onSilent) {
    Object.assign(this, { onSilent, silentLooks: 0, timer: null });
  }

  beat() {
    this.silentLooks = 0;
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  look() {
    if (++this.silentLooks < SILENT_LOOKS_MAX) return;
    this.stop();
    this.onSilent();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }
}

/** Kills a process that was told to end and has not, so much later. */
export function killLater(child, afterMs, onKill) {
  const timer = setTimeout(() => {
    onKill();
    child.kill('SIGKILL');
  }, afterMs).unref();
  child.once('exit', () => clearTimeout(timer));
}
