// Ends a process that stands still: its first thread turns in a circle, or waits for what never comes. Plain
// JavaScript, as the launcher.
import { spawn } from 'node:child_process';

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

/**
 * Runs one process without a supervisor, and ends with it. An engine or API alone, as in a container, is watched: one
 * that stands still is killed, and is started again by the container's own rules.
 */
export function runAlone({ command, args, file, isWatched, fail }) {
  const child = spawn(command, args, { stdio: ['inherit', 'inherit', 'inherit', ...(isWatched ? ['ipc'] : [])] });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const watchdog = new Watchdog(() => {
    process.stderr.write(`${file} stands still: it is killed\n`);
    child.kill('SIGKILL');
  });
  child.on('message', ({ type, message }) => {
    if (type === 'beat') watchdog.beat();
    else if (type === 'config-error' || type === 'start-error') process.stderr.write(`${message}\n`);
  });
  child.on('error', (error) => fail(`${file} could not be started: ${error.message}`, 1));
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal === 'SIGKILL' ? 'SIGKILL' : 'SIGTERM');
    process.exit(code ?? 1);
  });
  if (process.send) process.on('disconnect', () => child.kill('SIGTERM'));
}
