// The last seconds of a call as they are heard: the caller above, the agent below.
import { useEffect, useRef } from 'preact/hooks';
import { LEVELS_MAX, type Levels } from './listening.ts';

const HEIGHT_PX = 88;
const COLOURS_EVERY = 60;

interface Colours {
  caller: string;
  agent: string;
}

export function RunningWaveform({ levels }: { levels: Levels }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let request = 0;
    let colours: Colours | null = null;
    let frames = 0;
    const draw = () => {
      // The theme may change while the call goes on.
      if (canvas.current !== null && frames++ % COLOURS_EVERY === 0) colours = coloursOf(canvas.current);
      if (canvas.current !== null && colours !== null) paint(canvas.current, levels, colours);
      request = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(request);
  }, [levels]);
  return (
    <div aria-hidden="true">
      <canvas class="running-waveform" ref={canvas} height={HEIGHT_PX} />
    </div>
  );
}

/** A canvas does not understand the theme's variables: an element has to resolve them. */
function coloursOf(canvas: HTMLCanvasElement): Colours {
  const resolved = (variable: string): string => {
    canvas.style.color = `var(${variable})`;
    return getComputedStyle(canvas).color;
  };
  return { caller: resolved('--caller'), agent: resolved('--agent') };
}

function paint(canvas: HTMLCanvasElement, levels: Levels, colours: Colours): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const width = canvas.clientWidth;
  if (canvas.width !== width) canvas.width = width;
  const step = width / LEVELS_MAX;
  const middle = HEIGHT_PX / 2;
  context.clearRect(0, 0, width, HEIGHT_PX);
  for (const [index, [caller, agent]] of levels.entries()) {
    const x = width - (levels.length - index) * step;
    // The square root: speech is far below the loudest possible sample.
    const [up, down] = [Math.sqrt(caller) * (middle - 2), Math.sqrt(agent) * (middle - 2)];
    context.fillStyle = colours.caller;
    context.fillRect(x, middle - 1 - up, Math.max(1, step - 0.5), up);
    context.fillStyle = colours.agent;
    context.fillRect(x, middle + 1, Math.max(1, step - 0.5), down);
  }
}
