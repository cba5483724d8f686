// The protocol between the control thread and a media shard, over one ordered MessagePort per shard. Commands go down
// and events come up; each names its call. Times are ms on the call's clock: 0 = answer = first frame of the recording.
import type { MessagePort } from 'node:worker_threads';
import type { BargeInTiming, TurnTiming } from '../../db/domain/calls/timeline.ts';
import type { WorkerModel } from '../../db/domain/model-settings.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { LineEcho } from '../../media/echo.ts';
import type { LateCount } from '../../media/lateness.ts';
import type { ClauseKind } from '../../media/playout.ts';
import type { RtpStream } from '../../media/rtp/stream.ts';
import type { AudioSocketServer } from '../../media/socket/audio-socket.ts';
import type { AudioPath } from '../../media/webrtc/browser-transport.ts';
import type { AmdVerdict } from '../../models/amd/amd.ts';
import type { SpeechAsk, SpeechEvent, SpeechSetup } from '../../models/speech-to-speech/speech-to-speech.ts';
import type { Expectation, SttVocabulary } from '../../models/stt/stt.ts';
import type { WorkerKind } from '../../models/workers/model-worker.ts';
import type { AudioPriority } from '../../models/workers/priority.ts';
import type { NegotiatedAudio } from '../sip/telephony.ts';
import type { AgentRequest, ReplyCause, TurnConfig, TurnPhase } from '../turn/machine.ts';

/** A shard's task: its port to the control thread, and direct ports to the model workers. */
export interface ShardTask {
  shardIndex: number;
  /** When this shard ticks, within each 20 ms of the threads' common clock. */
  tickPhaseMs: number;
  control: MessagePort;
  vad: MessagePort;
  /** Index of that VAD worker. */
  vadIndex: number;
  /** One port per worker. */
  stt: MessagePort[];
  tts: MessagePort[];
  /** Null if only the rules judge. */
  turnEnd: MessagePort | null;
  /** Null unless a speech-to-speech model is configured. */
  speechModel: MessagePort | null;
  /** The address that RTP sockets bind to, and their port range; 0 and 0 mean any free pair. */
  rtpAddress: string;
  rtpPortMin: number;
  rtpPortMax: number;
  /** Whether the thread should run in real time. */
  realTime: boolean;
  /** Other engines may take this one for dead (engine/fence.ts). */
  isFenced: boolean;
  /** Where browsers and forks join their calls; null in all shards but the first, and until the door is to open. */
  mediaSocket: MediaSocketOptions | null;
}

export interface MediaSocketOptions {
  host: string;
  port: number;
  /** FreeSWITCH sends audio forks to us. */
  acceptsForks: boolean;
  /** Addresses and CIDRs of reverse proxies. */
  proxies: readonly string[];
  webRtc: WebRtcOptions | null;
}

/** The UDP port of browsers' audio; null: they have their socket alone. */
export interface WebRtcOptions {
  host: string;
  /** Null: the number of the socket's port. */
  port: number | null;
  /** Addresses at which browsers reach it. */
  announced: readonly string[];
}

export interface MediaSocket {
  port: number;
  library: AudioSocketServer['library'];
  /** The UDP port; null where WebRTC is off, or its port is taken. */
  webRtcPort: number | null;
}

export interface CallVoice {
  voiceId: string;
  speed: number;
  /** Spoken forms of words and names; the transcript keeps the text. */
  pronunciations?: ReadonlyArray<{ text: string; say: string }>;
}

/** Answering-machine detection of an outbound call; null on inbound ones. */
interface AmdOptions {
  enabled: true;
}

export interface OpenCall {
  type: 'open';
  callId: string;
  /** Expected rate of a telephone call; the first negotiated codec decides. */
  sampleRateHz: 8_000 | 16_000;
  /** A browser's socket, or FreeSWITCH's audio fork. `token`: SHA-256 in hex of the token that it must present. */
  transport:
    | { kind: 'rtp' }
    | { kind: 'socket' | 'fork'; token: string }
    /** Somebody's microphone at 16 kHz, in a ring that the door's shard fills: they hear the call by listening. */
    | { kind: 'ring'; memory: SharedArrayBuffer };
  turn: TurnConfig;
  voice: CallVoice;
  vocabulary: SttVocabulary;
  /** Length of the blocks in which the recogniser gets an utterance; 60 ms if absent. */
  sttBlockMs?: number;
  /** Noise is suppressed before voice activity detection and recogniser. */
  denoise?: boolean;
  /** WAV file to write, null when the campaign does not record. */
  recordingPath: string | null;
  amd: AmdOptions | null;
  /** A speech-to-speech model answers; absent: recogniser, dialogue model and voice do. */
  speechModel?: SpeechModelOfCall;
  /** The caller's words are told while they speak. */
  tellsCaller?: boolean;
  /** It may go on in another language. */
  mayChangeLanguage?: boolean;
  /** Set when the call's shard or process was lost and this one takes over. */
  resume?: ResumedCall;
}

export interface SpeechModelOfCall {
  /** Its name. */
  engine: string;
  setup: SpeechSetup;
  /** Its session was lost with the thread that had the call; absent: one is opened. */
  isLost?: true;
}

export interface ResumedCall {
  /** When it was answered, null if it was not; by `process.hrtime`, a clock shared by all threads. */
  answeredAtMs: number | null;
  /**
   * The local RTP port that the peer sends to; 0: any, as the call was on another machine. A browser joins its call
   * again at the port of all.
   */
  port: number;
  /** Replies up to this number are stale. */
  lastEpoch: number;
  /** The peer has sent audio: if it sends none now, something is wrong. */
  hasHeard?: boolean;
  /** Its RTP stream as it was `atMs` by the threads' common clock; absent: a new stream begins. */
  sent?: { stream: RtpStream; atMs: number };
}

/** Of one reply, as far as it was sent. */
export interface AgentWords {
  epoch: number;
  text: string;
  startedAtMs: number;
}

/** The state that is lost with a call's shard, or with the process. */
export interface CallPulse {
  callId: string;
  /** The agent's words, as far as they were sent. */
  speaking: AgentWords | null;
  /** The words that were heard of the reply that was over in the two seconds before: the journal may not know yet. */
  said?: AgentWords;
  /** Null for a call over a socket, or without an answer. */
  stream: RtpStream | null;
  /** The peer has sent audio. */
  hasHeard: boolean;
  /** The caller was speaking, or had just spoken. Absent: an earlier release wrote it. */
  isHearing?: boolean;
}

export type ShardCommand =
  | OpenCall
  | { type: 'connect'; callId: string; audio: NegotiatedAudio }
  /** Starts the call's clock, recorder and turn machine. */
  | { type: 'answered'; callId: string }
  /** Renders text ahead of time (the greeting while the phone rings), so that it can start at once. */
  | { type: 'prepare-speech'; callId: string; texts: string[] }
  /**
   * One clause of a reply. `index` counts from 0 within the epoch. Spoken in order; dropped if the epoch is stale.
   * `isFiller`: spoken while the caller waits for the reply; it does not move the reply's deadline.
   */
  | {
      type: 'speak';
      callId: string;
      epoch: number;
      index: number;
      text: string;
      interruptible: boolean;
      isFiller?: true;
      /** It is no answer, so it ends no response gap; absent for answers. */
      kind?: ClauseKind;
    }
  /** The model has produced the first word of this reply. */
  | { type: 'model-began'; callId: string; epoch: number }
  /** Asks the call's speech-to-speech model for a reply, or no longer; answered by `speech-model`. */
  | { type: 'speech-model'; callId: string; ask: SpeechAsk }
  | { type: 'reply-complete'; callId: string; epoch: number }
  | { type: 'reply-failed'; callId: string; epoch: number }
  /** Asks the machine for a reply outside a caller's turn; answered by `reply-wanted` with cause `requested`. */
  | { type: 'request-reply'; callId: string; request: AgentRequest; isUrgent?: true }
  /** The agent stops speaking; what it was preparing is not said. */
  | { type: 'silence'; callId: string }
  /** Both channels of the recording are silence from now on, or no longer. */
  | { type: 'mask'; callId: string; isMasked: boolean }
  /** The caller's keys are nobody's to see: each is told as `secret-digit`, and the recording is silent. */
  | { type: 'secret-keys'; callId: string; isSecret: boolean }
  /** Somebody listens: both sides at 16 kHz go into this ring, caller and agent in turns. Null: nobody any more. */
  | { type: 'tap'; callId: string; memory: SharedArrayBuffer | null }
  /** The caller hears that somebody listens. */
  | { type: 'notice-tone'; callId: string }
  /**
   * The recogniser is to hear another language; answered by `listens-in`. `change` numbers grow. The open
   * utterance goes to it from its beginning.
   */
  | { type: 'listen-in'; callId: string; change: number; vocabulary: SttVocabulary }
  /**
   * Further clauses are in this language and voice; what is being said ends as it began. `speechVoice`: of a
   * speech-to-speech model; null: as configured.
   */
  | { type: 'speak-in'; callId: string; language: string; voice: CallVoice; speechVoice: string | null }
  | { type: 'expects'; callId: string; expects: Expectation; digitCount?: number | null }
  /** Sends keys as telephone events (RFC 4733); answered by `digits-sent`. */
  | { type: 'send-digits'; callId: string; digits: string }
  /** Digits that came by SIP INFO. */
  | { type: 'digit'; callId: string; digit: string }
  /**
   * Joins the audio of two calls of this shard; the agent is silent on both. Each recording holds the other caller.
   * `hears`: the words of both are recognised all the same.
   */
  | { type: 'bridge'; callId: string; otherCallId: string; hears?: true }
  /** The other call's caller is heard on this one beside whom it hears anyway, until either ends. */
  | { type: 'whisper'; callId: string; otherCallId: string }
  | { type: 'unbridge'; callId: string }
  /** The caller waits: music while the agent is silent, `own` as in media/hold-music.ts. Bridged calls hear none. */
  | { type: 'hold-music'; callId: string; isOn: boolean; own?: Int16Array }
  /** Sends one JSON text to the call's browser (a transcript entry); ignored on telephone calls. */
  | { type: 'socket-text'; callId: string; text: string }
  /** Somebody watches the call for so long: it tells the words that are being said. */
  | { type: 'watch'; callId: string; forMs: number }
  /** Closes sockets and recording; answered by `closed`. */
  | { type: 'close'; callId: string }
  /** A model worker was restarted. The transferred port replaces the old one, and open calls are opened there again. */
  | { type: 'model-port'; model: WorkerKind; index: number; port: MessagePort }
  /** Another engine serves new calls: the transferred ports lead to its workers. None: no speech-to-speech model. */
  | { type: 'model-ports'; model: WorkerModel; ports: MessagePort[] }
  /** Browsers and audio forks may come from now on; answered by another `ready`, or `door-failed`. */
  | { type: 'open-door'; mediaSocket: MediaSocketOptions }
  /** For listeners, at the shard with the door. */
  | DoorCommand
  /** Another process goes on with all calls: sockets and recordings close without a word. Answered by `left`. */
  | { type: 'leave' }
  | { type: 'stop' };

/** Commands to the door about listeners to calls, whichever shard has the call. */
export type DoorCommand =
  /**
   * Somebody may listen to a call for as long as its token is valid. `memory`: the ring of the call's tap. `tokenHash`:
   * SHA-256 in hex.
   */
  | { type: 'expect-listener'; of: string; listenerId: string; tokenHash: string; memory: SharedArrayBuffer }
  | { type: 'end-listener'; listenerId: string; code: number; reason: string }
  /** One JSON text: to one listener, or to all of the call. */
  | { type: 'tell-listeners'; of: string; listenerId: string | null; text: string }
  /** The listener's microphone goes into this ring; null: nowhere. `hearsSelf` false: the right channel is silent. */
  | { type: 'take-microphone'; listenerId: string; memory: SharedArrayBuffer | null; hearsSelf: boolean }
  /** The call is over. */
  | { type: 'end-listening'; of: string };

/** A command that concerns one call. */
export type CallCommand = Extract<ShardCommand, { callId: string }>;

type WithoutCallId<C> = C extends CallCommand ? Omit<C, 'callId'> : never;

/** A command to the call of the one that sends it, who adds the id. */
export type OwnCommand<T extends CallCommand['type'] = CallCommand['type']> = WithoutCallId<
  Extract<CallCommand, { type: T }>
>;

export interface CallStats {
  packetsReceived: number;
  packetsSent: number;
  packetsLost: number;
  packetsConcealed: number;
  foreignPackets: number;
  jitterMs: number;
  bargeIns: number;
  falseInterruptions: number;
  /** Our own voice as the caller's side returned it; null if none was found. */
  echo: LineEcho | null;
  /** Absent: nothing was. */
  uses?: SpeechUses;
}

/** The work of recogniser and voice for a call. */
export interface SpeechUses {
  /** Sound that was sent to be recognised, also again. */
  heardMs: number;
  /** Of texts that were made for this call, without those whose sound was there. */
  characters: number;
  /** Of their sound. */
  spokenMs: number;
}

/** The figures of a call whose counters were lost with its shard. */
export const NO_STATS: CallStats = {
  packetsReceived: 0,
  packetsSent: 0,
  packetsLost: 0,
  packetsConcealed: 0,
  foreignPackets: 0,
  jitterMs: 0,
  bargeIns: 0,
  falseInterruptions: 0,
  echo: null,
};

export type ListenerMode = 'listen' | 'whisper' | 'take-over';

/** Of somebody who listens to a call; `gone`: the socket is closed, or nobody came with the token. */
export type ListenerEvent =
  | { type: 'listener-joined'; listenerId: string }
  | { type: 'listener-gone'; listenerId: string }
  | { type: 'listener-asks'; listenerId: string; mode: ListenerMode };

/** A model that another one has replaced on a call. */
export type FallenModel = WorkerModel;

export type ShardEvent =
  /** `socket`: where browsers and forks join, and the package that serves them; null on shards without it. */
  | { type: 'ready'; shardIndex: number; socket: MediaSocket | null; priority: AudioPriority }
  | { type: 'opened'; callId: string; address: string; port: number }
  | { type: 'open-failed'; callId: string; code: 'NO_PORTS' | 'SOCKET_FAILED'; message: string }
  | { type: 'reply-wanted'; callId: string; epoch: number; cause: ReplyCause; committed: boolean }
  | { type: 'reply-committed'; callId: string; epoch: number; cause: ReplyCause }
  | { type: 'reply-dropped'; callId: string; epoch: number }
  /** The heard part of a reply, to its end or its cut; `text` is empty if nothing was heard. */
  | { type: 'reply-heard'; callId: string; epoch: number; text: string; startedAtMs: number; interrupted: boolean }
  /** The caller's last words when the call ended before a reply was wanted, for the transcript. */
  | { type: 'caller-unanswered'; callId: string; text: string; understood: boolean; startedAtMs: number }
  /** On a watched call, at most some three times a second: all that is being said now, in place of what was before. */
  | { type: 'words'; callId: string; words: TranscriptEntry[] }
  /** On a call that asked for it, at most some three times a second: the caller's words so far. */
  | { type: 'caller-saying'; callId: string; text: string }
  /** The recogniser's answer; `message`: why it hears the language before, null if it hears the new one. */
  | { type: 'listens-in'; callId: string; change: number; message: string | null }
  /** The recogniser tells which language the caller spoke; on calls that may change theirs. */
  | { type: 'language-heard'; callId: string; language: string; words: number; confidence: number }
  | { type: 'caller-digits'; callId: string; digits: string; atMs: number }
  | { type: 'secret-digit'; callId: string; digit: string }
  /** `ok` is false when the peer takes no telephone events: nothing was sent. */
  | { type: 'digits-sent'; callId: string; ok: boolean }
  | { type: 'barge-in'; callId: string; epoch: number; atMs: number }
  | { type: 'false-interruption'; callId: string; epoch: number }
  | { type: 'phase'; callId: string; phase: TurnPhase }
  /** From the arrival of the caller's last speech sample to the sending of the answer's first, one per turn. */
  | { type: 'latency'; callId: string; ms: number }
  /**
   * The caller has waited so long for reply `epoch` and heard words that are no answer; again, with the whole time,
   * when the answer or an apology began after all.
   */
  | { type: 'wait-timed'; callId: string; epoch: number; ms: number }
  | { type: 'turn-timed'; callId: string; turn: TurnTiming }
  | { type: 'yield-timed'; callId: string; bargeIn: BargeInTiming }
  | { type: 'amd'; callId: string; verdict: AmdVerdict; atMs: number }
  /** A machine's beep, or the silence in place of it: a message may be left now. */
  | { type: 'beep'; callId: string; atMs: number }
  /**
   * No RTP, RTCP or comfort noise for 20 s while not held; or the browser's socket closed; or a browser whose call goes
   * on in another thread or process has not come back.
   */
  | { type: 'media-lost'; callId: string; reason: 'rtp-timeout' | 'socket-closed' | 'not-rejoined' }
  /** A call that goes on has brought no packet yet: perhaps the peer has hung up meanwhile. */
  | { type: 'peer-silent'; callId: string }
  | { type: 'socket-joined'; callId: string }
  /** A browser's audio takes another path. */
  | { type: 'audio-path'; callId: string; path: AudioPath }
  /** The disk failed. The call goes on without the rest of its recording. */
  | { type: 'recording-failed'; callId: string; message: string }
  | { type: 'model-failed'; callId: string; model: 'stt' | 'tts' | 'vad'; message: string }
  /** An event of the call's speech-to-speech model, without its audio. */
  | { type: 'speech-model'; callId: string; event: SpeechEvent }
  /** The chosen engine is down; the built-in one replaces it, or recogniser, dialogue model and voice (`cascade`). */
  | { type: 'model-fallback'; callId: string; model: FallenModel; from: string; to: string; message: string }
  /**
   * The turn-end model was asked about a pause; `late`: the pause ended first. `ms`: time until the answer or that end.
   */
  | { type: 'turn-end-judged'; callId: string; outcome: 'judged' | 'late' | 'failed'; ms: number }
  | { type: 'call-failed'; callId: string; message: string }
  | { type: 'closed'; callId: string; recordedMs: number; recordingPath: string | null; stats: CallStats }
  | { type: 'pacing'; shardIndex: number; errorP50Ms: number; errorP99Ms: number; errorMaxMs: number; calls: number }
  /** Of the shard's answered calls, several times a second. `atMs`: by the threads' common clock. */
  | { type: 'pulse'; shardIndex: number; atMs: number; calls: CallPulse[] }
  | { type: 'door-failed'; message: string }
  | ListenerEvent
  /** The shard has left its calls, as they are in the pulse before this. */
  | { type: 'left'; shardIndex: number }
  /** Counts of the last half second, for admission. */
  | { type: 'lateness'; shardIndex: number; sends: LateCount; windows: LateCount };
