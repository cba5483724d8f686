// The documents that a business's calls are answered from, and what an agent would find in them.

import { useState } from 'preact/hooks';
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import * as LIMITS from '../../api-limits.ts';
import type { Document, Passage } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Badge, Card } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { AddDocuments } from './add-documents.tsx';

export function DocumentsTab({ businessId }: { businessId: string }) {
  const documents = useApi('listDocuments', { params: { id: businessId }, query: { page: currentPage(), limit: 20 } });
  const { reload } = documents;
  return (
    <>
      <div class="columns">
        <AddDocuments businessId={businessId} onAdded={reload} />
        <Search businessId={businessId} />
      </div>
      <Card title={t('Documents')}>
        <List
          of={documents}
          label={t('Documents')}
          empty={<p class="soft">{t('None yet. Terms, manuals, price lists: what callers ask about.')}</p>}
          keyOf={({ id }) => id}
          columns={[
            { title: t('Name'), cell: (document) => <NameOf document={document} /> },
            { title: t('Kind'), cell: ({ kind }) => t(KINDS[kind]) },
            { title: t('Passages'), isNumber: true, cell: ({ passages }) => formatNumber(passages) },
            { title: t('Characters'), isNumber: true, cell: ({ characters }) => formatNumber(characters) },
            { title: t('Read'), cell: ({ readAt, createdAt }) => <Time at={readAt ?? createdAt} /> },
            {
              title: '',
              cell: (document) => (
                <div class="row">
                  {document.sourceUrl !== null && (
                    <Button
                      isSmall
                      label={t('Read {name} again', { name: document.name })}
                      onClick={() => void readAgain(document, reload)}
                    >
                      {t('Read again')}
                    </Button>
                  )}
                  <Button
                    right="change"
                    isSmall
                    label={t('Delete {name}', { name: document.name })}
                    onClick={() => askToDelete(document, reload)}
                  >
                    {t('Delete')}
                  </Button>
                </div>
              ),
            },
          ]}
        />
      </Card>
    </>
  );
}

const KINDS: Readonly<Record<Document['kind'], string>> = {
  text: words('Text'),
  markdown: words('Markdown'),
  html: words('Web page'),
  pdf: 'PDF',
  docx: words('Word'),
};

/** With where it is from, and what is wrong with it. */
function NameOf({ document: { name, sourceUrl, error, embedding, embeddingError } }: { document: Document }) {
  return (
    <div class="stack tight">
      <span>{name}</span>
      {sourceUrl !== null && <span class="small soft">{sourceUrl}</span>}
      {error !== null && <Badge tone="bad">{error}</Badge>}
      {embedding === 'waiting' && (
        <span class="small soft">
          {embeddingError === null
            ? t('Found by its words; its meaning follows')
            : t('Found by its words alone: {embeddingError}', { embeddingError })}
        </span>
      )}
    </div>
  );
}

async function readAgain({ id, businessId, name }: Document, onRead: () => void): Promise<void> {
  try {
    const { data } = await call('refreshDocument', { params: { id: businessId, documentId: id } });
    say(data.error === null ? t('Read {name} again', { name }) : `${name}: ${data.error}`);
  } catch (fault) {
    say(messageOf(fault));
  }
  onRead();
}

function askToDelete({ id, businessId, name }: Document, onDeleted: () => void): void {
  confirm({
    title: t('Delete {name}?', { name }),
    text: t('No call is answered from it any more. The service keeps no word of it.'),
    action: t('Delete the document'),
    perform: async () => {
      await call('deleteDocument', { params: { id: businessId, documentId: id } });
      say(t('Deleted {name}', { name }));
      onDeleted();
    },
  });
}

function Search({ businessId }: { businessId: string }) {
  const [found, setFound] = useState<Passage[] | null>(null);
  const form = useForm({ question: '' }, async ({ values }) => {
    const { data } = await call('searchDocuments', { params: { id: businessId }, body: values });
    setFound(data);
  });
  return (
    <Card title={t('What would the agent find?')}>
      <SubmitForm right="own" form={form} shown={['question']} send={t('Find')} look="normal">
        <TextField
          label={t('Question')}
          hint={t('As a caller would ask it.')}
          {...form.field('question')}
          placeholder={t('How long is the battery under warranty?')}
          limits={LIMITS.SearchDocumentsBody.question}
          required
        />
      </SubmitForm>
      <div role="status">{found !== null && <Passages passages={found} />}</div>
    </Card>
  );
}

function Passages({ passages }: { passages: readonly Passage[] }) {
  if (passages.length === 0)
    return (
      <p class="soft">{t('Nothing: no document has the words of this question. The agent answers without one.')}</p>
    );
  return (
    <ol class="passages" aria-label={t('Passages, the best first')}>
      {passages.map(({ documentId, name, heading, passage }) => (
        <li key={`${documentId} ${heading} ${passage}`}>
          <span class="small soft">{[name, heading].filter(Boolean).join(', ')}</span>
          <blockquote class="passage">{passage}</blockquote>
        </li>
      ))}
    </ol>
  );
}
