// Finds, for each 20 ms frame that a caller heard, the agent's clip, its samples in it and its level. So a pause, a
// duck, a gap, a repetition and stale audio are recognised, and not confused with natural pauses.

import { FRAME_SAMPLES } from '../../engine/test-runs/caller/call.ts';
import { joinSamples, rms } from '../../media/frame.ts';
import type { SpokenClip } from '../rig/conversation/script.ts';

/** The origin of a heard frame. */
export interface Place {
  clip: number;
  /** First sample of the frame in the clip. */
  at: number;
  /** 1: as rendered; 0.25: ducked by 12 dB. */
  gain: number;
}

/**
 * Normalised correlation: G.711 leaves 0.99, a fade within the frame 0.9, another period of the same vowel reaches
 * 0.95.
 */
const FOLLOWS = 0.8;
const FOUND = 0.97;
/** Quieter frames are silence. */
export const SILENT_RMS = 40;
/** Frames compared together in a search. */
const SEARCH_FRAMES = 3;
/** After a pause the agent may continue a little before the place where it stopped. */
const REWIND_SAMPLES = 12_000;
const STRIDE = 3;
const SIGN_STRIDE = 16;
const UNKNOWN_FRAMES = 4;

/** The place of each frame; null for silence and for audio of no clip. */
export function alignFrames(frames: readonly Int16Array[], clips: readonly SpokenClip[]): Array<Place | null> {
  const places: Array<Place | null> = [];
  let last: Place | null = null;
  let missed = 0;
  let searchFrom = 0;
  for (const [index, frame] of frames.entries()) {
    let place: Place | null = null;
    if (rms(frame) < SILENT_RMS) searchFrom = 0;
    else {
      place = follow(frame, clips, last, missed);
      if (place === null && index >= searchFrom) {
        place = find(frames, index, clips, last);
        // Unknown audio is searched at its beginning, and then only from time to time.
        if (place === null) searchFrom = index + UNKNOWN_FRAMES;
      }
    }
    places.push(place);
    missed = place === null ? missed + 1 : 0;
    last = place ?? last;
  }
  return places;
}

/** The frame continues at the end of the last one, or at its place without the agent's pause. */
function follow(frame: Int16Array, clips: readonly SpokenClip[], last: Place | null, missed: number): Place | null {
  const clip = last === null ? undefined : clips[last.clip];
  if (last === null || clip === undefined) return null;
  let best: Place | null = null;
  let bestMatch = FOLLOWS;
  for (const at of [last.at + FRAME_SAMPLES * (missed + 1), last.at + FRAME_SAMPLES]) {
    const { match, gain } = compare(frame, clip.samples, at, 1);
    if (match > bestMatch) {
      best = { clip: last.clip, at, gain };
      bestMatch = match;
    }
  }
  return best;
}

/** Searches the last clip near its last place, then the beginnings of all clips, then everything. */
function find(
  frames: readonly Int16Array[],
  index: number,
  clips: readonly SpokenClip[],
  last: Place | null,
): Place | null {
  const window = joinSamples(frames.slice(index, index + SEARCH_FRAMES));
  const near = last === null ? undefined : clips[last.clip];
  if (last !== null && near !== undefined) {
    const found = search(window, near.samples, last.at - REWIND_SAMPLES, last.at + REWIND_SAMPLES);
    if (found !== null) return { clip: last.clip, ...found };
  }
  for (const reach of [FRAME_SAMPLES * 15, Number.POSITIVE_INFINITY]) {
    for (const [clip, { samples }] of clips.entries()) {
      const found = search(window, samples, -FRAME_SAMPLES / 2, reach);
      if (found !== null) return { clip, ...found };
    }
  }
  return null;
}

/** The best match from `from` to `to`; null when none is good enough. */
function search(window: Int16Array, clip: Int16Array, from: number, to: number): { at: number; gain: number } | null {
  const end = Math.min(to, clip.length - FRAME_SAMPLES / 2);
  let best: { at: number; gain: number } | null = null;
  let bestMatch = FOUND;
  for (let at = Math.max(from, -FRAME_SAMPLES / 2); at < end; at++) {
    if (!mayMatch(window, clip, at) || compare(window, clip, at, STRIDE).match < FOLLOWS) continue;
    const { match, gain } = compare(window, clip, at, 1);
    if (match <= bestMatch) continue;
    best = { at, gain };
    bestMatch = match;
  }
  return best;
}

/** A few samples exclude most places: the samples of a match have the same signs as the window's. */
function mayMatch(window: Int16Array, clip: Int16Array, at: number): boolean {
  let [same, different] = [0, 0];
  for (let n = 0; n < window.length; n += SIGN_STRIDE) {
    const product = (window[n] ?? 0) * (clip[at + n] ?? 0);
    if (product > 0) same++;
    else if (product < 0) different++;
  }
  return same > different * 2;
}

function compare(heard: Int16Array, clip: Int16Array, at: number, stride: number): { match: number; gain: number } {
  let product = 0;
  let heardEnergy = 0;
  let saidEnergy = 0;
  for (let n = 0; n < heard.length; n += stride) {
    const [x, y] = [heard[n] ?? 0, clip[at + n] ?? 0];
    product += x * y;
    heardEnergy += x * x;
    saidEnergy += y * y;
  }
  if (product <= 0) return { match: 0, gain: 0 };
  return { match: product / Math.sqrt(heardEnergy * saidEnergy), gain: product / saidEnergy };
}
