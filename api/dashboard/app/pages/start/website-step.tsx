// The first step: the address of the web site, which is read at once.

import * as LIMITS from '../../api-limits.ts';
import type { Site } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t } from '../../words/words.ts';
import { ownZone } from '../../zones.ts';

export const readSite = async (url: string): Promise<Site> =>
  (await call('readSite', { body: { url, timezone: ownZone() } })).data;

interface WebsiteStepProps {
  website: string;
  onRead: (website: string, site: Site) => void;
  onSkip: () => void;
}

export function WebsiteStep({ website, onRead, onSkip }: WebsiteStepProps) {
  const form = useForm({ url: website }, async ({ values: { url } }) => onRead(url.trim(), await readSite(url.trim())));
  return (
    <Card title={t('Do you have a web site?')}>
      <SubmitForm
        form={form}
        shown={['url']}
        send={form.isSending ? t('Reading your pages …') : t('Read my web site')}
        disabled={form.values.url.trim() === ''}
        beside={
          <Button look="plain" onClick={onSkip}>
            {t('I have none: type it in')}
          </Button>
        }
      >
        <TextField
          label={t('Its address')}
          hint={t(
            'Hours, prices, contact and answers are read from it, and shown to you before anything is kept. Nothing is made up.',
          )}
          {...form.field('url')}
          placeholder="www.my-shop.com"
          inputMode="url"
          autocomplete="url"
          limits={LIMITS.ReadSiteBody.url}
          required
          autofocus
        />
      </SubmitForm>
    </Card>
  );
}
