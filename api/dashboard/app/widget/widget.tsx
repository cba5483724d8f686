// The button of the widget, and the panel that it opens: a dialog that holds the focus, which Escape closes. A call
// goes on while the panel is closed.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { CallView } from './call-view.tsx';
import { CloseIcon, PhoneIcon } from './icons.tsx';
import { type WidgetFacts, WidgetFault, type WidgetService } from './service.ts';
import { TextView } from './text-view.tsx';
import { useChanges } from './use-changes.ts';
import type { WidgetCall } from './widget-call.ts';
import type { WidgetChat } from './widget-chat.ts';
import { faultIn, type Words } from './words.ts';

interface WidgetProps {
  service: WidgetService;
  call: WidgetCall;
  chat: WidgetChat;
  words: Words;
  label: string;
  isOpen: boolean;
  onShow: (isOpen: boolean) => void;
}

export function Widget({ service, call, chat, words, label, isOpen, onShow }: WidgetProps) {
  useChanges(call);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const id = useId();
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const isRunning = call.phase === 'talking';
  // Within the open panel: behind a dialog nothing is told.
  const status = (
    <p class="unseen" role="status">
      {statusOf(call, words)}
    </p>
  );
  return (
    <>
      {isOpen && (
        <PanelFrame id={id} title={label} words={words} onClose={() => onShow(false)}>
          <Inside service={service} call={call} chat={chat} words={words} />
          {status}
        </PanelFrame>
      )}
      <button
        type="button"
        ref={button}
        class={isRunning ? 'open running' : 'open'}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onShow(!isOpen)}
      >
        <PhoneIcon />
        <span>{isRunning ? words.running : label}</span>
      </button>
      {!isOpen && status}
    </>
  );
}

/** Told to those who do not see it. */
function statusOf({ phase, isLost, isMuted }: WidgetCall, words: Words): string {
  if (phase === 'microphone') return words.microphone;
  if (phase === 'connecting') return words.connecting;
  if (phase === 'ended') return words.ended;
  if (phase !== 'talking') return '';
  return isLost ? words.lost : isMuted ? words.muted : words.running;
}

interface FrameProps {
  id: string;
  title: string;
  words: Words;
  onClose: () => void;
  children: preact.ComponentChildren;
}

const FOCUSABLE = 'button:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

function PanelFrame({ id, title, words, onClose, children }: FrameProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      return onClose();
    }
    if (event.key !== 'Tab') return;
    const all = [...(panel.current?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
    const root = panel.current?.getRootNode() as ShadowRoot;
    const [first, last] = [all[0], all.at(-1)];
    const isAtEnd = event.shiftKey
      ? root.activeElement === first || root.activeElement === panel.current
      : root.activeElement === last;
    if (!isAtEnd) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  };
  return (
    <div
      class="panel"
      id={id}
      ref={panel}
      role="dialog"
      aria-modal="true"
      aria-labelledby={`${id}-title`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <button type="button" class="icon" aria-label={words.close} onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      {children}
    </div>
  );
}

type InsideProps = Pick<WidgetProps, 'service' | 'call' | 'chat' | 'words'>;

function Inside({ service, call, chat, words }: InsideProps) {
  const [facts, setFacts] = useState<WidgetFacts | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [way, setWay] = useState<'call' | 'text'>('call');
  useEffect(() => {
    service.facts().then(setFacts, (refusal) => setFault(refusal instanceof WidgetFault ? refusal.code : ''));
  }, [service]);
  if (fault !== null) return <p role="alert">{faultIn(words, fault)}</p>;
  if (facts === null) return <p class="soft">{words.connecting}</p>;
  if (!facts.isOpen) return <p role="alert">{words.closed}</p>;
  const shown = facts.allows.includes(way) ? way : (facts.allows[0] ?? 'call');
  return (
    <>
      {(facts.businessName !== null || facts.agentName !== null) && (
        <p class="soft who">{[facts.agentName, facts.businessName].filter(Boolean).join(' · ')}</p>
      )}
      {facts.allows.length > 1 && (
        <div class="ways">
          {(['call', 'text'] as const).map((each) => (
            <button type="button" key={each} aria-pressed={each === shown} onClick={() => setWay(each)}>
              {each === 'call' ? words.call : words.write}
            </button>
          ))}
        </div>
      )}
      {shown === 'call' ? <CallView call={call} words={words} /> : <TextView chat={chat} words={words} />}
    </>
  );
}
