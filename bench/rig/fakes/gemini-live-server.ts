// A fake of Google's Gemini Live API (BidiGenerateContent), from the vendor's WebSockets reference and the types of its
// JavaScript library, read 2026-11. As the vendor does, it closes the socket with 1007 at a message that it does not
// understand, or that comes out of order.
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { recordOf } from '../../../db/domain/unexpected.ts';
import { bytesOf, type Known, SpeechModelServer, unknownField } from './speech-model-server.ts';

const ANY = true;
const MESSAGES: Record<string, Known> = {
  setup: {
    ...{ model: ANY, systemInstruction: { parts: ANY, role: ANY }, tools: ANY, sessionResumption: { handle: ANY } },
    ...{ contextWindowCompression: ANY, proactivity: ANY, historyConfig: { initialHistoryInClientContent: ANY } },
    ...{ inputAudioTranscription: ANY, outputAudioTranscription: ANY, safetySettings: ANY },
    generationConfig: {
      ...{ candidateCount: ANY, maxOutputTokens: ANY, temperature: ANY, topP: ANY, topK: ANY, presencePenalty: ANY },
      ...{ frequencyPenalty: ANY, responseModalities: ANY, mediaResolution: ANY, thinkingConfig: ANY },
      speechConfig: { languageCode: ANY, voiceConfig: { prebuiltVoiceConfig: { voiceName: ANY } } },
    },
    realtimeInputConfig: { automaticActivityDetection: ANY, activityHandling: ANY, turnCoverage: ANY },
  },
  clientContent: { turns: ANY, turnComplete: ANY },
  realtimeInput: {
    ...{ audio: { data: ANY, mimeType: ANY }, activityStart: {}, activityEnd: {}, text: ANY, audioStreamEnd: ANY },
  },
  toolResponse: { functionResponses: ANY },
};
const OUTPUT_HZ = 24_000;

export class GeminiLiveServer extends SpeechModelServer {
  protected readonly path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
  protected readonly modelsPath = '/v1beta/models';
  /** Of the newest session: what it was set up with, and all turns in the order in which they became known. */
  setup: Record<string, unknown> = {};
  turns: Array<{ role: 'user' | 'model'; text: string; audioMs: number }> = [];
  /** With which conversations can go on. */
  readonly handles = new Set<string>();
  #newest: LiveSession | null = null;

  protected keyOf(request: IncomingMessage): string {
    return String(request.headers['x-goog-api-key'] ?? '');
  }

  protected serve(socket: WebSocket): void {
    this.#newest = new LiveSession(this, socket);
  }

  /** Announces the end of the connection. */
  goAway(): void {
    this.#newest?.send({ goAway: { timeLeft: '10s' } });
  }
}

interface RunningAnswer {
  isInterrupted: boolean;
}

class LiveSession {
  readonly #server: GeminiLiveServer;
  readonly #socket: WebSocket;
  readonly #turns: GeminiLiveServer['turns'];
  #isSetUp = false;
  #isActive = false;
  #activityMs = 0;
  #count = 0;
  #answers = 0;
  #answer: RunningAnswer | null = null;
  readonly #calls = new Set<string>();
  #freshTexts: string[] = [];

  constructor(server: GeminiLiveServer, socket: WebSocket) {
    this.#server = server;
    this.#socket = socket;
    this.#turns = server.turns;
    socket.on('message', (data) => this.#receive(recordOf(JSON.parse(String(data)))));
  }

  send(message: Record<string, unknown>): void {
    // The vendor sends its JSON in binary frames.
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(Buffer.from(JSON.stringify(message)));
  }

  #receive(message: Record<string, unknown>): void {
    this.#server.seen.push(message);
    const [kind, ...more] = Object.keys(message);
    const known = kind === undefined || more.length > 0 ? undefined : MESSAGES[kind];
    if (kind === undefined || known === undefined) return this.#refuse('one_field');
    const unknown = unknownField(message[kind], known, kind);
    if (unknown !== null) return this.#refuse(`unknown ${unknown}`);
    if ((kind === 'setup') === this.#isSetUp) return this.#refuse('setup comes first, and once');
    const content = recordOf(message[kind]);
    if (kind === 'setup') this.#configure(content);
    else if (kind === 'clientContent') this.#take(content);
    else if (kind === 'realtimeInput') this.#hear(content);
    else this.#takeResults(content);
  }

  #configure(setup: Record<string, unknown>): void {
    const detection = recordOf(recordOf(setup.realtimeInputConfig).automaticActivityDetection);
    if (!/^models\//.test(String(setup.model))) return this.#refuse('model');
    if (!this.#server.knows(String(setup.model).replace(/^models\//, ''))) {
      this.#server.refusals.push('unknown model');
      return this.#socket.close(1008, `${setup.model} is not found for API version v1beta`);
    }
    if (detection.disabled !== true) return this.#refuse('this fake detects no activity');
    this.#isSetUp = true;
    this.#server.setup = setup;
    if (this.#server.fault === 'mute') return;
    const { handle } = recordOf(setup.sessionResumption);
    if (handle === undefined) this.#turns.splice(0);
    else if (!this.#server.handles.has(String(handle))) return this.#refuse('unknown handle');
    this.send({ setupComplete: {} });
  }

  /** As after each turn: the conversation so far can go on over another connection. */
  #giveHandle(): void {
    if (this.#server.setup.sessionResumption === undefined) return;
    const newHandle = `handle-${this.#server.handles.size + 1}`;
    this.#server.handles.add(newHandle);
    this.send({ sessionResumptionUpdate: { newHandle, resumable: true } });
  }

  /** Always ends what is being generated. */
  #take({ turns, turnComplete }: Record<string, unknown>): void {
    this.#interrupt();
    for (const turn of (Array.isArray(turns) ? turns : []).map(recordOf)) {
      if (turn.role !== 'user' && turn.role !== 'model') return this.#refuse('role');
      const text = (turn.parts as Array<{ text?: string }>).map((part) => part.text ?? '').join('');
      this.#turns.push({ role: turn.role, text, audioMs: 0 });
      this.#freshTexts.push(text);
    }
    if (turnComplete === true) this.#respond([]);
  }

  #hear(input: Record<string, unknown>): void {
    if (input.activityStart !== undefined) {
      if (this.#isActive) return this.#refuse('activity is open');
      this.#isActive = true;
      this.#activityMs = 0;
    }
    if (input.audio !== undefined) {
      const { data, mimeType } = recordOf(input.audio);
      const rateHz = Number(/^audio\/pcm;rate=(\d+)$/.exec(String(mimeType))?.[1]);
      if (!(rateHz > 0)) return this.#refuse('mimeType');
      if (!this.#isActive) return this.#refuse('audio outside of an activity');
      this.#activityMs += (Buffer.from(String(data), 'base64').length / 2 / rateHz) * 1_000;
    }
    if (input.activityEnd === undefined) return;
    if (!this.#isActive) return this.#refuse('no activity is open');
    this.#isActive = false;
    this.#turns.push({ role: 'user', text: '', audioMs: this.#activityMs });
    const { understands } = this.#server.options;
    if (understands !== undefined)
      for (const word of understands.split(/(?<= )/))
        this.send({ serverContent: { inputTranscription: { text: word } } });
    this.#respond([]);
  }

  #takeResults({ functionResponses }: Record<string, unknown>): void {
    const responses = (Array.isArray(functionResponses) ? functionResponses : []).map(recordOf);
    for (const { id, response } of responses) {
      if (!this.#calls.delete(String(id)) || typeof response !== 'object') return this.#refuse('function response');
    }
    this.#respond(responses.map(({ response }) => recordOf(response).output));
  }

  #interrupt(): void {
    if (this.#calls.size > 0) this.send({ toolCallCancellation: { ids: [...this.#calls] } });
    this.#calls.clear();
    if (this.#answer === null) return;
    this.#answer.isInterrupted = true;
    this.#answer = null;
    this.send({ serverContent: { interrupted: true } });
    this.send({ serverContent: { turnComplete: true } });
  }

  #respond(results: readonly unknown[]): void {
    this.#interrupt();
    const answer: RunningAnswer = { isInterrupted: false };
    this.#answer = answer;
    void this.#generate(answer, results);
  }

  async #generate(answer: RunningAnswer, results: readonly unknown[]): Promise<void> {
    const scripted = this.#server.answerTo({
      turn: ++this.#answers,
      audioMs: this.#activityMs,
      texts: this.#freshTexts.splice(0),
      results,
    });
    this.#activityMs = 0;
    if (this.#server.fault === 'stall') return;
    if (scripted.calls) {
      const functionCalls = scripted.calls.map(({ name, arguments: args }) => ({
        id: `call_${++this.#count}`,
        name,
        args,
      }));
      for (const { id } of functionCalls) this.#calls.add(id);
      this.#answer = null;
      return this.send({ toolCall: { functionCalls } });
    }
    const { text = '' } = scripted;
    const isWhole = await this.#server.play(
      this.#socket,
      text,
      OUTPUT_HZ,
      (samples, words) => {
        const inlineData = { mimeType: `audio/pcm;rate=${OUTPUT_HZ}`, data: bytesOf(samples).toString('base64') };
        const said = words === '' ? {} : { outputTranscription: { text: words } };
        this.send({ serverContent: { modelTurn: { role: 'model', parts: [{ inlineData }] }, ...said } });
      },
      () => answer.isInterrupted,
    );
    if (!isWhole) return;
    this.#answer = null;
    this.#turns.push({ role: 'model', text, audioMs: 0 });
    this.send({ serverContent: { generationComplete: true } });
    this.send({
      serverContent: { turnComplete: true },
      usageMetadata: {
        promptTokenCount: 120,
        responseTokenCount: 30,
        cachedContentTokenCount: 64,
        totalTokenCount: 150,
      },
    });
    this.#giveHandle();
  }

  #refuse(code: string): void {
    this.#server.refusals.push(code);
    this.#socket.close(1007, 'Request contains an invalid argument.');
  }
}
