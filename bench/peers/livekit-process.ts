// The peer in a separate process: a session for each call. Its recogniser, model and voice are the bench's, named in
// the environment. argv: the setting, the greeting.
import { inference, initializeLogger, type Vad, voice } from '@livekit/agents';
import { VAD } from '@livekit/agents-plugin-silero';
import { unreachable } from '../../db/domain/unexpected.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { SttStream } from '../../models/stt/stt.ts';
import type { TtsEngine } from '../../models/tts/tts.ts';
import { Dialogue } from './dialogue.ts';
import type { PeerReply, PeerRequest } from './messages.ts';
import { PhoneLine } from './phone-line.ts';
import { openScriptedStream, Recogniser } from './recogniser.ts';
import { isSetting, LINE_RATE_HZ, type Setting, sessionOptions, VAD_THRESHOLD } from './settings.ts';
import { Voice } from './voice.ts';

const [, , setting, greeting = ''] = process.argv;
if (!isSetting(setting)) throw new Error(`there is no setting "${setting}"`);

interface Engines {
  scripted: SttStream;
  model: DialogueModel;
  voice: TtsEngine;
  vad: Vad | null;
  detector(): inference.TurnDetector;
}

interface PeerCall {
  line: PhoneLine;
  session: voice.AgentSession;
}

const calls = new Map<string, PeerCall>();
initializeLogger({ pretty: false, level: 'silent' });
const engines = await loadEngines(setting, process.env);
process.on('message', (request: PeerRequest) => void answer(request, engines, setting));
// The process is useless without the bench.
process.on('disconnect', () => process.exit(0));
reply({ type: 'ready' });

function reply(message: PeerReply): void {
  process.send?.(message);
}

async function loadEngines(chosen: Setting, environment: NodeJS.ProcessEnv): Promise<Engines> {
  const load = async <T>(name: string | undefined): Promise<T> => {
    const loaded: { default: (environment: NodeJS.ProcessEnv) => Promise<T> } = await import(`${name}`);
    return loaded.default(environment);
  };
  const threshold = VAD_THRESHOLD[chosen];
  return {
    scripted: await openScriptedStream(environment),
    model: await load<DialogueModel>(environment.PEER_LLM),
    voice: await load<TtsEngine>(environment.PEER_TTS),
    vad: threshold === null ? null : await VAD.load({ sampleRate: 8_000, activationThreshold: threshold }),
    detector: threshold === null ? await localDetector() : noDetector,
  };
}

function noDetector(): never {
  throw new Error('this setting has no model of turn ends');
}

/** The peer runs its model in another process; here it runs on this process's thread pool. */
async function localDetector(): Promise<() => inference.TurnDetector> {
  const { default: library } = await import('@livekit/local-inference');
  library.initEot();
  const doInference = async (_method: string, data: unknown): Promise<unknown> => {
    const bytes = Buffer.from((data as { pcm: string }).pcm, 'base64');
    const startedAtMs = performance.now();
    const pcm = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.byteLength & ~1)));
    const probability = await library.predict(pcm);
    return { probability, inferenceDurationMs: performance.now() - startedAtMs };
  };
  return () => new inference.TurnDetector({ executor: { doInference } });
}

async function answer(request: PeerRequest, engines: Engines, chosen: Setting): Promise<void> {
  switch (request.type) {
    case 'open':
      try {
        await openCall(request.number, request.callerPort, engines, chosen);
      } catch (error) {
        reply({ type: 'failed', number: request.number, message: String(error) });
      }
      return;
    case 'close':
      return closeCall(request.number);
    default:
      unreachable(request);
  }
}

async function openCall(number: string, callerPort: number, engines: Engines, chosen: Setting): Promise<void> {
  const line = new PhoneLine(callerPort, LINE_RATE_HZ[chosen]);
  const port = await line.open();
  const session = new voice.AgentSession({
    stt: new Recogniser(engines.scripted),
    llm: new Dialogue(engines.model, number),
    tts: new Voice(engines.voice),
    ...sessionOptions(chosen, engines),
  });
  // Without a listener an error would end the process; a refusing model is part of a scenario.
  session.on('error', () => undefined);
  session.input.audio = line.input;
  session.output.audio = line.output;
  calls.set(number, { line, session });
  await session.start({ agent: new voice.Agent({ instructions: '' }), record: false });
  reply({ type: 'opened', number, port });
  session.say(greeting);
}

async function closeCall(number: string): Promise<void> {
  const call = calls.get(number);
  calls.delete(number);
  const turns = (call?.session.history.items ?? []).flatMap(({ type, role, textContent }) =>
    type === 'message' && role === 'user' && textContent !== undefined ? [textContent] : [],
  );
  reply({ type: 'closed', number, turns });
  await call?.session.close().catch(() => undefined);
  call?.line.close();
}
