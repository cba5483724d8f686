// A call's place in its shard, and what another thread or process would need of it.
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import type { AudioTransport } from '../../media/audio-transport.ts';
import { FRAME_MS } from '../../media/frame.ts';
import type { Recorder } from '../../media/recorder.ts';
import { RtpTransport } from '../../media/rtp/rtp-transport.ts';
import type { HostedCall } from './hosted-call.ts';
import type { CallCommand, CallPulse, OpenCall, ResumedCall } from './protocol.ts';
import { ToldWords } from './told-words.ts';

/** From `open` to `closed`. */
export interface CallSlot {
  command: OpenCall;
  /** Null while the sockets are being bound, after the call has failed, and while it closes. */
  call: HostedCall | null;
  /** Null while the sockets are being bound. */
  transport: AudioTransport | null;
  /** Null before the answer, and on calls that are not recorded. */
  recorder: Recorder | null;
  /** Commands received before the sockets were bound. */
  waiting: CallCommand[];
  /** Texts rendered ahead of time, to be rendered again if the call's rate changes before the answer. */
  prepared: CallCommand[];
  /** The call that it is to be joined with, which is not open yet. */
  awaits: { otherCallId: string; hears: boolean } | null;
  /** `close` was received. */
  closing: boolean;
  told: ToldWords;
}

export const newCallSlot = (command: OpenCall): CallSlot => ({
  command,
  call: null,
  transport: null,
  recorder: null,
  waiting: [],
  told: new ToldWords(),
  prepared: [],
  awaits: null,
  closing: false,
});

/** Null while there is nothing that could be lost. */
export function pulseOf({ command: { callId }, call, transport }: CallSlot): CallPulse | null {
  if (!call) return null;
  // Of a call that rings there is nothing to tell, but that its process lives.
  if (!call.answered) return { callId, speaking: null, stream: null, hasHeard: false };
  const stream = transport instanceof RtpTransport ? transport.stream : null;
  const hasHeard = transport !== null && transport.stats().packetsReceived > 0;
  const isHearing = call.phase === 'hearing' || call.phase === 'pausing';
  const { speaking, said } = call.replies;
  return { callId, speaking, ...(said ? { said } : {}), stream, hasHeard, isHearing };
}

/** Position of a resumed call's clock, ms, rounded to a frame. */
export function positionOf({ answeredAtMs }: ResumedCall): number {
  if (answeredAtMs === null) return 0;
  const elapsedMs = sharedClockMs() - answeredAtMs;
  return Math.max(0, Math.round(elapsedMs / FRAME_MS)) * FRAME_MS;
}
