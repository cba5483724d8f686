// The agent's speech in a take, frame by frame as it arrived: its holes, the words that came through, its beginnings.

import { FRAME_SAMPLES } from '../../engine/test-runs/caller/call.ts';
import { FRAME_MS, rms } from '../../media/frame.ts';
import type { SpokenClip } from '../rig/conversation/script.ts';
import { alignFrames, type Place, SILENT_RMS } from './alignment.ts';
import type { Take } from './play.ts';
import { wordsOf } from './timing.ts';

/** A part of the agent's speech that it withheld. */
interface Hole {
  startMs: number;
  /** Time at which the agent continued the same clip; null if it did not. */
  endMs: number | null;
  clip: number;
  /** The frames of the clip that were heard before and after it; null if there are none. */
  again: { from: number; to: number } | null;
}

/** Silence before a sound that makes it a beginning and not the next word. */
const ONSET_SILENCE_MS = 200;
/** Longest silence between two clauses of a reply. */
const CLAUSE_GAP_MS = 500;
/** An agent that was interrupted just before the end of a clause begins no other. */
const STOP_WITHIN_MS = 1_000;
/** A single lost frame is not a hole. */
const MIN_HOLE_FRAMES = 2;
/** Louder parts of a clip are speech. */
const VOICED_RMS = 250;
const DUCKED_GAIN = 0.5;
const WORD_SHARE = 0.5;
/** A clip found this close to its beginning has just begun. */
const START_SAMPLES = FRAME_SAMPLES * 3;

export class AgentTrack {
  readonly clips: readonly SpokenClip[];
  readonly holes: readonly Hole[];
  readonly #times: readonly number[];
  readonly #isSound: readonly boolean[];
  readonly #places: ReadonlyArray<Place | null>;

  constructor(take: Take, clips: readonly SpokenClip[]) {
    this.clips = clips;
    this.#times = take.frames.map((frame) => frame.atMs);
    this.#isSound = take.samples.map((samples) => rms(samples) >= SILENT_RMS);
    this.#places = alignFrames(take.samples, clips);
    this.holes = this.#findHoles();
  }

  /** Times at which the agent began to speak, or continued, after silence. */
  onsets(): number[] {
    const onsets: number[] = [];
    let lastSoundMs = Number.NEGATIVE_INFINITY;
    for (const [index, atMs] of this.#times.entries()) {
      if (!this.#isSound[index]) continue;
      if (atMs - lastSoundMs > ONSET_SILENCE_MS) onsets.push(atMs);
      lastSoundMs = atMs;
    }
    return onsets;
  }

  /** Each beginning of a clip. */
  starts(): Array<{ atMs: number; text: string }> {
    const starts: Array<{ atMs: number; text: string }> = [];
    for (const [index, place] of this.#places.entries()) {
      if (!place || place.at >= START_SAMPLES || this.#places[index - 1]?.clip === place.clip) continue;
      starts.push({ atMs: this.#times[index] ?? 0, text: this.clips[place.clip]?.text ?? '' });
    }
    return starts;
  }

  /**
   * The clip being spoken at this time, including pauses within and before it; null when the agent has stopped.
   */
  clipAt(atMs: number): number | null {
    const before = this.#places.findLastIndex((place, index) => place !== null && (this.#times[index] ?? 0) <= atMs);
    const after = this.#places.findIndex((place, index) => place !== null && (this.#times[index] ?? 0) > atMs);
    const [last, next] = [this.#places[before], this.#places[after]];
    if (!last) return null;
    if (atMs - (this.#times[before] ?? 0) <= FRAME_MS * 3 || next?.clip === last.clip) return last.clip;
    const isBetween = next && (this.#times[after] ?? 0) - (this.#times[before] ?? 0) <= CLAUSE_GAP_MS;
    return isBetween ? next.clip : null;
  }

  /** First packet from `fromMs` on that is wrongly silent, or ducked; null when there is none. */
  yieldAfter(fromMs: number, untilMs: number): number | null {
    const hole = this.holes.find(({ startMs }) => startMs >= fromMs && startMs <= untilMs)?.startMs ?? null;
    const ducked = this.#times.find((atMs, index) => {
      const place = this.#places[index];
      return atMs >= fromMs && atMs <= untilMs && place && this.#isDucked(place);
    });
    if (ducked === undefined || (hole !== null && hole <= ducked)) return hole;
    return ducked;
  }

  /**
   * First packet of the silence that withheld speech from `fromMs` on, or began between two clauses; null when there is
   * none.
   */
  silenceAfter(fromMs: number, untilMs: number): number | null {
    const hole = this.holes.find(({ startMs }) => startMs >= fromMs && startMs <= untilMs);
    if (hole === undefined) return this.#stopAfter(fromMs, Math.min(untilMs, fromMs + STOP_WITHIN_MS));
    // A hole begins where a word was withheld; the silence may have begun in the gap before it.
    let index = this.#times.indexOf(hole.startMs);
    while (index > 0 && !this.#isSound[index - 1] && (this.#times[index - 1] ?? 0) >= fromMs) index--;
    return this.#times[index] ?? null;
  }

  /** First packet of a silence that is longer than those between two clauses. */
  #stopAfter(fromMs: number, untilMs: number): number | null {
    for (const [index, atMs] of this.#times.entries()) {
      if (atMs < fromMs || atMs > untilMs || this.#isSound[index] || !this.#isSound[index - 1]) continue;
      const next = this.#isSound.indexOf(true, index);
      if (next < 0 || (this.#times[next] ?? 0) - atMs > CLAUSE_GAP_MS) return atMs;
    }
    return null;
  }

  /** Words of this clip of which at least half was heard again after a hole. */
  wordsRepeated(clip: number): number {
    const spoken = this.clips[clip];
    if (spoken === undefined) return 0;
    const words = wordsOf(spoken.text, Math.ceil(spoken.samples.length / FRAME_SAMPLES));
    const again = this.holes.filter((hole) => hole.clip === clip && hole.again !== null).map(({ again }) => again);
    return words.filter(({ from, to }) =>
      again.some((part) => {
        const frames = Math.min(to, part?.to ?? 0) - Math.max(from, part?.from ?? 0);
        return frames >= (to - from) * WORD_SHARE;
      }),
    ).length;
  }

  duckedMs(fromMs: number, untilMs: number): number {
    return (
      FRAME_MS *
      this.#places.filter((place, index) => {
        const atMs = this.#times[index] ?? 0;
        return place && atMs >= fromMs && atMs <= untilMs && this.#isDucked(place);
      }).length
    );
  }

  /** Frames of these clips that arrived after `fromMs`. */
  framesOf(clips: ReadonlySet<number>, fromMs: number): number {
    return this.#places.filter((place, index) => place && clips.has(place.clip) && (this.#times[index] ?? 0) > fromMs)
      .length;
  }

  /** First and last frame of these clips; null when none was heard. */
  spanOf(clips: ReadonlySet<number>): { startMs: number; endMs: number } | null {
    const isOf = (place: Place | null): boolean => place !== null && clips.has(place.clip);
    const [first, last] = [this.#places.findIndex(isOf), this.#places.findLastIndex(isOf)];
    if (first < 0) return null;
    return { startMs: this.#times[first] ?? 0, endMs: this.#times[last] ?? 0 };
  }

  /** For each word of the clip, whether at least half of it came through. */
  wordsHeard(clip: number): boolean[] {
    const spoken = this.clips[clip];
    if (spoken === undefined) return [];
    const frames = Math.ceil(spoken.samples.length / FRAME_SAMPLES);
    const heard = new Uint8Array(frames);
    for (const place of this.#places) {
      if (place?.clip === clip) heard[Math.max(0, Math.min(frames - 1, Math.round(place.at / FRAME_SAMPLES)))] = 1;
    }
    return wordsOf(spoken.text, frames).map(({ from, to }) => {
      const all = Array.from({ length: to - from }, (_, n) => from + n);
      const voiced = all.filter((frame) => levelAt(spoken, frame * FRAME_SAMPLES) >= VOICED_RMS);
      return voiced.filter((frame) => heard[frame] === 1).length >= voiced.length * WORD_SHARE;
    });
  }

  /** The changes in the heard audio: another clip, another part of it, silence, unknown audio. */
  changes(): Array<{ atMs: number; text: string }> {
    const changes: Array<{ atMs: number; text: string }> = [];
    let before = 'silent';
    for (const [index, place] of this.#places.entries()) {
      const previous = this.#places[index - 1];
      const clip = place === null ? null : (this.clips[place.clip]?.text ?? '');
      const ducked = place !== null && this.#isDucked(place) ? ' ducked' : '';
      const now = clip === null ? (this.#isSound[index] ? 'unknown' : 'silent') : `"${clip}"${ducked}`;
      const jumps = place && previous?.clip === place.clip && place.at !== previous.at + FRAME_SAMPLES;
      const from = place === null ? '' : ` from ${Math.round(place.at / 8)} ms`;
      if (now !== before || jumps) changes.push({ atMs: this.#times[index] ?? 0, text: `agent ${now}${from}` });
      before = now;
    }
    return changes;
  }

  #isDucked({ clip, at, gain }: Place): boolean {
    const spoken = this.clips[clip];
    return spoken !== undefined && gain < DUCKED_GAIN && levelAt(spoken, at) >= VOICED_RMS;
  }

  #findHoles(): Hole[] {
    const holes: Hole[] = [];
    let last: { place: Place; index: number } | null = null;
    let withheld: number[] = [];
    for (const [index, place] of this.#places.entries()) {
      if (place !== null) {
        if (last && withheld.length >= MIN_HOLE_FRAMES) {
          const goesOn = place.clip === last.place.clip && place.at > 0;
          const endMs = goesOn ? (this.#times[index] ?? null) : null;
          const [from, to] = [place.at, last.place.at + FRAME_SAMPLES].map((at) => Math.round(at / FRAME_SAMPLES));
          const again = goesOn && from !== undefined && to !== undefined && from < to ? { from, to } : null;
          holes.push({ startMs: this.#times[withheld[0] ?? 0] ?? 0, endMs, clip: last.place.clip, again });
        }
        withheld = [];
        last = { place, index };
        continue;
      }
      if (last === null || this.#isSound[index]) continue;
      const clip = this.clips[last.place.clip];
      const expected = last.place.at + FRAME_SAMPLES * (index - last.index);
      if (clip && expected < clip.samples.length - FRAME_SAMPLES && levelAt(clip, expected) >= VOICED_RMS)
        withheld.push(index);
    }
    if (last && withheld.length >= MIN_HOLE_FRAMES)
      holes.push({ startMs: this.#times[withheld[0] ?? 0] ?? 0, endMs: null, clip: last.place.clip, again: null });
    return holes;
  }
}

function levelAt({ samples }: SpokenClip, at: number): number {
  return rms(samples.subarray(Math.max(0, at), Math.max(0, at + FRAME_SAMPLES)));
}
