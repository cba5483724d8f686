// The player of a recording; the waveform, the transcript and the timeline follow and control it.
import { signal } from '@preact/signals';

export const SPEEDS = [1, 1.5, 2] as const;

export class Player {
  readonly atSeconds = signal(0);
  readonly durationSeconds = signal(0);
  readonly isPlaying = signal(false);
  readonly speed = signal<number>(1);
  /** False until the recording can be played. */
  readonly isReady = signal(false);
  #audio: HTMLAudioElement | null = null;
  #frame = 0;

  /** @returns a function that detaches the element */
  attach(audio: HTMLAudioElement): () => void {
    this.#audio = audio;
    const follow = () => {
      this.atSeconds.value = audio.currentTime;
      if (!audio.paused) this.#frame = requestAnimationFrame(follow);
    };
    const listeners: Array<[string, () => void]> = [
      ['loadedmetadata', () => this.#measure(audio)],
      ['durationchange', () => this.#measure(audio)],
      ['play', () => this.#changed(true, follow)],
      ['pause', () => this.#changed(false, follow)],
      ['ended', () => this.#changed(false, follow)],
      ['seeked', follow],
    ];
    for (const [name, listener] of listeners) audio.addEventListener(name, listener);
    return () => {
      cancelAnimationFrame(this.#frame);
      for (const [name, listener] of listeners) audio.removeEventListener(name, listener);
      audio.pause();
      this.#audio = null;
    };
  }

  toggle(): void {
    if (this.#audio?.paused) void this.#audio.play().catch(() => undefined);
    else this.#audio?.pause();
  }

  seek(seconds: number): void {
    if (this.#audio === null || !this.isReady.peek()) return;
    this.#audio.currentTime = seconds;
    this.atSeconds.value = seconds;
  }

  /** Seeks, and plays from there. */
  playFrom(ms: number): void {
    this.seek(ms / 1_000);
    void this.#audio?.play().catch(() => undefined);
  }

  setSpeed(speed: number): void {
    this.speed.value = speed;
    if (this.#audio !== null) this.#audio.playbackRate = speed;
  }

  #measure(audio: HTMLAudioElement): void {
    if (!Number.isFinite(audio.duration)) return;
    this.durationSeconds.value = audio.duration;
    this.isReady.value = true;
  }

  #changed(isPlaying: boolean, follow: () => void): void {
    this.isPlaying.value = isPlaying;
    cancelAnimationFrame(this.#frame);
    follow();
  }
}
