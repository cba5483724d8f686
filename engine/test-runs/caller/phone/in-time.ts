// The pace of a telephone or a microphone: a frame every 20 ms on average, even where timers are late.
import { FRAME_MS } from '../../../../media/frame.ts';

/** Returns a function that ends it. */
export function sendInTime(sendFrame: () => void): () => void {
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < (performance.now() - startedAt) / FRAME_MS; sent++) sendFrame();
  }, 10);
  return () => clearInterval(timer);
}
