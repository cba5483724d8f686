/**
 * Sends a frame every 20 ms on average, even with late timers, like a phone or a microphone. Returns a function that
 * ends it.
 */
export function sendInTime(sendFrame: () => void): () => void {
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < (performance.now() - startedAt) / 20; sent++) sendFrame();
  }, 10);
  return () => clearInterval(timer);
}
