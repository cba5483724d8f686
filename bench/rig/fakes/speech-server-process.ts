// The speech server in a process of its own, so that its work does not count as the engine's: sends its origin when it
// is up.
import { SpeechServer } from './speech-server.ts';

const server = await new SpeechServer({ apiKey: process.argv[2] ?? null }).start();
process.send?.(server.origin);
