// What the control thread and a media shard say to each other, on one ordered MessagePort a shard. Commands go down,
// events come up; each names its call. Times are ms on the call's clock: 0 = answer = first frame of the recording.
import type { MessagePort } from 'node:worker_threads';
import type { Expectation, SttVocabulary } from '../../models/stt/stt.ts';
import type { NegotiatedAudio } from '../sip/telephony.ts';
import type { AgentRequest, ReplyCause, TurnConfig, TurnPhase } from '../turn/machine.ts';

/** Piscina's task data of a shard: its ports to the others, none of which passes through the control thread. */
export interface ShardTask {
  shardIndex: number;
  control: MessagePort;
  vad: MessagePort;
  stt: MessagePort;
  tts: MessagePort;
  /** Addresses that sockets bind to, and the port range (0, 0 = any free pair). */
  rtpAddress: string;
  rtpPortMin: number;
  rtpPortMax: number;
  /** Where browsers join their calls; null in all shards but the first. */
  mediaSocket: { host: string; port: number } | null;
}

export interface CallVoice {
  voiceId: string;
  speed: number;
}

/** Answering-machine detection of an outbound call; null on inbound ones. */
export interface AmdOptions {
  enabled: true;
}

export interface OpenCall {
  type: 'open';
  callId: string;
  sampleRateHz: 8_000 | 16_000;
  /** `token`: SHA-256 in hex of what the browser must bring. */
  transport: { kind: 'rtp' } | { kind: 'socket'; token: string };
  turn: TurnConfig;
  voice: CallVoice;
  vocabulary: SttVocabulary;
  /** WAV file to write, null when the campaign does not record. */
  recordingPath: string | null;
  amd: AmdOptions | null;
  /** Only the pool sets it: the shard that had the call was lost, and this one takes over where it stopped. */
  resume?: ResumedCall;
}

export interface ResumedCall {
  /** When it was answered, null when it was not yet; by `process.hrtime`, the one clock that all threads share. */
  answeredAtMs: number | null;
  /** Port that the peer sends to. */
  port: number;
  /** Replies up to this number are stale. */
  lastEpoch: number;
}

export type ShardCommand =
  | OpenCall
  | { type: 'connect'; callId: string; audio: NegotiatedAudio }
  /** Starts the call's clock, recorder and turn machine. */
  | { type: 'answered'; callId: string }
  /** Words that will soon be spoken (the greeting, while the phone rings): synthesised now, so that they can start at once. */
  | { type: 'prepare-speech'; callId: string; texts: string[] }
  /** One clause of a reply; `index` grows from 0 within the epoch. Spoken in order, dropped when the epoch is stale. */
  | { type: 'speak'; callId: string; epoch: number; index: number; text: string; interruptible: boolean }
  | { type: 'reply-complete'; callId: string; epoch: number }
  | { type: 'reply-failed'; callId: string; epoch: number }
  /** Asks the machine for a reply outside a caller's turn; answered by `reply-wanted` with cause `requested`. */
  | { type: 'request-reply'; callId: string; request: AgentRequest }
  | { type: 'expects'; callId: string; expects: Expectation }
  /** Sends keys as telephone events (RFC 4733); answered by `digits-sent`. */
  | { type: 'send-digits'; callId: string; digits: string }
  /** Digits that came by SIP INFO. */
  | { type: 'digit'; callId: string; digit: string }
  /** Joins the audio of two calls of this shard (the agent falls silent on both); recorder of `callId` hears the other. */
  | { type: 'bridge'; callId: string; otherCallId: string }
  | { type: 'unbridge'; callId: string }
  /** One JSON text to the browser of a call (a transcript entry); nothing on the telephone. */
  | { type: 'socket-text'; callId: string; text: string }
  /** Closes sockets and recording; answered by `closed`. */
  | { type: 'close'; callId: string }
  /** A model worker was lost and started anew: the port replaces the old one (transferred), open calls are opened there. */
  | { type: 'model-port'; model: 'vad' | 'stt' | 'tts'; port: MessagePort }
  | { type: 'stop' };

export interface CallStats {
  packetsReceived: number;
  packetsSent: number;
  packetsLost: number;
  packetsConcealed: number;
  foreignPackets: number;
  jitterMs: number;
  bargeIns: number;
  falseInterruptions: number;
  /** Caller's last speech sample to agent's first, one a turn, from the recorded waveform's positions. */
  turnLatenciesMs: number[];
}

/** Of a call whose counters were lost with it. */
export const NO_STATS: CallStats = {
  packetsReceived: 0,
  packetsSent: 0,
  packetsLost: 0,
  packetsConcealed: 0,
  foreignPackets: 0,
  jitterMs: 0,
  bargeIns: 0,
  falseInterruptions: 0,
  turnLatenciesMs: [],
};

export type AmdClass = 'human' | 'machine-beep' | 'machine' | 'screening' | 'uncertain';

export type ShardEvent =
  /** `socketPort`: where browsers join, null where they do not. */
  | { type: 'ready'; shardIndex: number; socketPort: number | null }
  | { type: 'opened'; callId: string; address: string; port: number }
  | { type: 'open-failed'; callId: string; code: 'NO_PORTS' | 'RECORDING_FAILED' | 'SOCKET_FAILED'; message: string }
  | { type: 'reply-wanted'; callId: string; epoch: number; cause: ReplyCause; committed: boolean }
  | { type: 'reply-committed'; callId: string; epoch: number; cause: ReplyCause }
  | { type: 'reply-dropped'; callId: string; epoch: number }
  /** What the caller heard of a reply, at its end or where it was cut; `text` is empty when nothing was. */
  | { type: 'reply-heard'; callId: string; epoch: number; text: string; startedAtMs: number; interrupted: boolean }
  /** The caller's last words, to which no reply was wanted because the call ended: they belong to the transcript. */
  | { type: 'caller-unanswered'; callId: string; text: string; understood: boolean; startedAtMs: number }
  | { type: 'caller-digits'; callId: string; digits: string; atMs: number }
  /** `ok: false`: the peer takes no telephone events, nothing was sent. */
  | { type: 'digits-sent'; callId: string; ok: boolean }
  | { type: 'barge-in'; callId: string; epoch: number; atMs: number }
  | { type: 'false-interruption'; callId: string; epoch: number }
  | { type: 'phase'; callId: string; phase: TurnPhase }
  | { type: 'latency'; callId: string; ms: number }
  | { type: 'amd'; callId: string; verdict: AmdClass; atMs: number }
  /** The beep after a machine's greeting (or its silence time-out): a message may be left now. */
  | { type: 'beep'; callId: string; atMs: number }
  /** No RTP, RTCP or comfort noise for 20 s while not held; or the browser's socket closed. */
  | { type: 'media-lost'; callId: string; reason: 'rtp-timeout' | 'socket-closed' | 'not-joined' }
  | { type: 'socket-joined'; callId: string }
  /** The disk took no more: the call goes on, the rest of its recording is missing. */
  | { type: 'recording-failed'; callId: string; message: string }
  | { type: 'model-failed'; callId: string; model: 'stt' | 'tts' | 'vad'; message: string }
  | { type: 'call-failed'; callId: string; message: string }
  | { type: 'closed'; callId: string; recordedMs: number; recordingPath: string | null; stats: CallStats }
  | { type: 'pacing'; shardIndex: number; errorP50Ms: number; errorP99Ms: number; errorMaxMs: number; calls: number };
