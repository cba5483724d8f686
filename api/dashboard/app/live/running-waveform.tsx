// The last seconds of a call as they are heard: the caller above, the agent below.
import { useEffect, useRef } from 'preact/hooks';
import { LEVELS_MAX, type Levels } from './listening.ts';

const HEIGHT_PX = 88;

export function RunningWaveform({ levels }: { levels: Levels }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let request = 0;
    const draw = () => {
      if (canvas.current !== null) paint(canvas.current, levels);
      request = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(request);
  }, [levels]);
  return <canvas class="running-waveform" ref={canvas} height={HEIGHT_PX} aria-hidden="true" />;
}

function paint(canvas: HTMLCanvasElement, levels: Levels): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const width = canvas.clientWidth;
  if (canvas.width !== width) canvas.width = width;
  const style = getComputedStyle(canvas);
  const [callerColour, agentColour] = [style.getPropertyValue('--caller'), style.getPropertyValue('--agent')];
  const step = width / LEVELS_MAX;
  const middle = HEIGHT_PX / 2;
  context.clearRect(0, 0, width, HEIGHT_PX);
  for (const [index, [caller, agent]] of levels.entries()) {
    const x = width - (levels.length - index) * step;
    // The square root: speech is far below the loudest possible sample.
    const [up, down] = [Math.sqrt(caller) * (middle - 2), Math.sqrt(agent) * (middle - 2)];
    context.fillStyle = callerColour;
    context.fillRect(x, middle - 1 - up, Math.max(1, step - 0.5), up);
    context.fillStyle = agentColour;
    context.fillRect(x, middle + 1, Math.max(1, step - 0.5), down);
  }
}
