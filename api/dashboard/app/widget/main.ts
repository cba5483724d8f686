// The script that pages of others include: a button that opens a panel, and `window.voiceWidget` for designs of their
// own. Included twice, it is there once.
import { mountPanel, type Panel } from './mount.tsx';
import { type WidgetOptions, WidgetService } from './service.ts';
import { WidgetCall } from './widget-call.ts';
import { WidgetChat } from './widget-chat.ts';
import { wordsIn } from './words.ts';

/** The address of the audio thread's script, beside this one: put in when this is bundled. */
declare const WORKLET: string;

interface VoiceWidget {
  createCall: (options: WidgetOptions) => WidgetCall;
  createChat: (options: WidgetOptions) => WidgetChat;
  open: () => void;
  close: () => void;
  /** Ends a call, and takes the button away. */
  remove: () => void;
}

declare global {
  interface Window {
    voiceWidget?: VoiceWidget;
  }
}

function begin(script: HTMLScriptElement): void {
  const address = new URL(script.src);
  const base = new URL('.', address).href;
  const serviceOf = (options: WidgetOptions) => new WidgetService(base, options, WORKLET);
  let panel: Panel | null = null;
  window.voiceWidget = {
    createCall: (options) => new WidgetCall(serviceOf(options)),
    createChat: (options) => new WidgetChat(serviceOf(options)),
    open: () => panel?.show(true),
    close: () => panel?.show(false),
    remove: () => {
      panel?.remove();
      panel = null;
    },
  };
  const { dataset } = script;
  const key = dataset.key ?? address.searchParams.get('key');
  if (key === null || dataset.headless !== undefined) return;
  const captcha = captchaNamed(dataset.captcha);
  const service = serviceOf({ key, ...(captcha === undefined ? {} : { captcha }) });
  const mount = () => {
    panel = mountPanel(service, {
      words: wordsIn(dataset.lang ?? (document.documentElement.lang || navigator.language)),
      label: dataset.label ?? null,
      theme: dataset.theme ?? null,
    });
  };
  if (document.body !== null) mount();
  else addEventListener('DOMContentLoaded', mount, { once: true });
}

/** A function of the page that gives a token. */
function captchaNamed(name: string | undefined): (() => Promise<string>) | undefined {
  if (name === undefined) return undefined;
  return async () => {
    const give = (window as unknown as Record<string, unknown>)[name];
    return typeof give === 'function' ? String(await give()) : '';
  };
}

const script = document.currentScript ?? document.querySelector('script[src*="/widget.js"]');
if (window.voiceWidget === undefined && script instanceof HTMLScriptElement) begin(script);
