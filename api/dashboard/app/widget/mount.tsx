// Puts the button and its panel into the page, in a shadow root: styles of the page and of the widget do not meet. The
// style is constructed, because a page's policy may forbid style elements and attributes.
import { render } from 'preact';
import type { WidgetService } from './service.ts';
import { STYLE } from './style.ts';
import { Widget } from './widget.tsx';
import { WidgetCall } from './widget-call.ts';
import { WidgetChat } from './widget-chat.ts';
import type { Words } from './words.ts';

export interface Panel {
  show: (isOpen: boolean) => void;
  remove: () => void;
}

interface Look {
  words: Words;
  /** Of the button; null: that of the language. */
  label: string | null;
  /** `light` or `dark`; null: as the visitor's system. */
  theme: string | null;
}

export function mountPanel(service: WidgetService, { words, label, theme }: Look): Panel {
  const host = document.createElement('voice-widget');
  if (theme !== null) host.dataset.theme = theme;
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  document.body.append(host);
  const call = new WidgetCall(service);
  const chat = new WidgetChat(service);
  const show = (isOpen: boolean): void =>
    render(<Widget {...{ service, call, chat, words, isOpen }} label={label ?? words.button} onShow={show} />, root);
  show(false);
  return {
    show,
    remove: () => {
      call.end();
      chat.stop();
      render(null, root);
      host.remove();
    },
  };
}
