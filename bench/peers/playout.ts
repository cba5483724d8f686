// The peer's audio that has not been sent yet, read 20 ms at a time. A segment is the audio between two flushes: the
// peer is told the start of each, and once how much of it was played.

export interface SegmentEnd {
  playedSamples: number;
  isInterrupted: boolean;
}

interface PlayoutListener {
  onStarted(): void;
  onEnded(end: SegmentEnd): void;
}

interface Segment {
  pieces: Int16Array[];
  /** Played samples of the first piece. */
  offset: number;
  playedSamples: number;
  isComplete: boolean;
}

export class SegmentPlayout {
  readonly #listener: PlayoutListener;
  #segments: Segment[] = [];
  isPaused = false;

  constructor(listener: PlayoutListener) {
    this.#listener = listener;
  }

  write(samples: Int16Array): void {
    let segment = this.#segments.at(-1);
    if (segment === undefined || segment.isComplete) {
      segment = { pieces: [], offset: 0, playedSamples: 0, isComplete: false };
      this.#segments.push(segment);
    }
    segment.pieces.push(samples);
  }

  /** The current segment is complete. */
  flush(): void {
    const segment = this.#segments.at(-1);
    if (segment) segment.isComplete = true;
  }

  /** Drops all written audio. */
  clear(): void {
    const ended = this.#segments;
    this.#segments = [];
    for (const { playedSamples } of ended) this.#listener.onEnded({ playedSamples, isInterrupted: true });
  }

  /** Fills the frame with the next audio, else with silence. */
  read(frame: Int16Array): void {
    frame.fill(0);
    if (this.isPaused) return;
    for (let filled = 0; filled < frame.length; ) {
      const [segment] = this.#segments;
      if (segment === undefined) return;
      const count = copyNext(segment, frame, filled, () => this.#listener.onStarted());
      filled += count;
      if (segment.pieces.length > 0) continue;
      if (!segment.isComplete) return;
      this.#segments.shift();
      this.#listener.onEnded({ playedSamples: segment.playedSamples, isInterrupted: false });
    }
  }
}

/** @returns the number of samples copied to `frame` from `at` on */
function copyNext(segment: Segment, frame: Int16Array, at: number, onStarted: () => void): number {
  const [piece] = segment.pieces;
  if (piece === undefined) return 0;
  if (segment.playedSamples === 0) onStarted();
  const part = piece.subarray(segment.offset, segment.offset + frame.length - at);
  frame.set(part, at);
  segment.offset += part.length;
  segment.playedSamples += part.length;
  if (segment.offset >= piece.length) {
    segment.pieces.shift();
    segment.offset = 0;
  }
  return part.length;
}
