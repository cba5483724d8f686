// The speech server in a separate process, so that its work does not count as the engine's: sends its origin when it
// listens.
import { SpeechServer } from './speech-server.ts';

const server = await new SpeechServer({ apiKey: process.argv[2] ?? null }).start();
process.send?.(server.origin);
