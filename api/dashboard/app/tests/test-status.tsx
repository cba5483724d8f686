// Words and colours for what came of a run or a case.
import type { TestResult, TestRun } from '../api-types.ts';
import { Badge, type Tone } from '../ui/layout.tsx';
import { t, words } from '../words/words.ts';

type Status = TestRun['status'] | TestResult['status'];

const WORDS: Record<Status, string> = {
  QUEUED: words('Waiting'),
  RUNNING: words('Running'),
  PASSED: words('Passed'),
  FAILED: words('Failed'),
  ERROR: words('Could not be run'),
  CANCELLED: words('Cancelled'),
};

const TONES: Record<Status, Tone> = {
  QUEUED: 'neutral',
  RUNNING: 'live',
  PASSED: 'good',
  FAILED: 'bad',
  ERROR: 'warn',
  CANCELLED: 'neutral',
};

export const statusWord = (status: Status): string => t(WORDS[status]);

export const TestStatus = ({ status }: { status: Status }) => <Badge tone={TONES[status]}>{statusWord(status)}</Badge>;

export const isOpen = ({ endedAt }: Pick<TestRun, 'endedAt'>): boolean => endedAt === null;
