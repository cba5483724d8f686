// A visitor's conversation in writing, in the panel: its messages, and a field for the next.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { WriteWidgetMessageBody } from '../api-limits.ts';
import { useChanges } from './use-changes.ts';
import type { WidgetChat } from './widget-chat.ts';
import { faultIn, type Words } from './words.ts';

export function TextView({ chat, words }: { chat: WidgetChat; words: Words }) {
  useChanges(chat);
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const [text, setText] = useState('');
  const { messages, isAnswering, isSending, fault } = chat;
  const newest = messages.at(-1)?.id;
  useEffect(() => {
    chat.follow();
    return () => chat.stop();
  }, [chat]);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [newest, isAnswering]);
  const send = async () => {
    if (await chat.send(text)) setText('');
  };
  return (
    <form
      class="part"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {messages.length === 0 && <p>{words.writeLead}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ol class="said" ref={list} aria-label={words.messages} aria-live="polite" tabIndex={0}>
        {messages.map((message) => (
          <li key={message.id} class={message.from === 'visitor' ? 'mine' : ''}>
            <span class="unseen">{message.from === 'visitor' ? words.you : words.us}: </span>
            {message.text}
          </li>
        ))}
        {isAnswering && <li class="soft">{words.writing}</li>}
      </ol>
      {fault !== null && <p role="alert">{faultIn(words, fault)}</p>}
      <div class="write">
        <label class="unseen" for={id}>
          {words.message}
        </label>
        <textarea
          id={id}
          rows={2}
          maxLength={WriteWidgetMessageBody.text.maxLength}
          placeholder={words.message}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
        <button type="submit" class="primary" disabled={isSending || text.trim() === ''}>
          {words.send}
        </button>
      </div>
    </form>
  );
}
