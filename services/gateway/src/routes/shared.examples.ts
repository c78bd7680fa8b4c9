// Objects that the examples of several rows share, so that the ids and times in the API document are consistent.
import { encodeId, storageKey } from '@kiln/contracts';

export const exampleIds = {
  file: encodeId('file', '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10'),
  job: encodeId('job', '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a11'),
  variant: encodeId('variant', '01938a3c-9f02-7a44-8e0f-5b1c7d2e6f30'),
  organization: encodeId('organization', '01938a00-1000-7000-8000-000000000001'),
  key: encodeId('key', '01938a00-2000-7000-8000-000000000002'),
};

export const exampleBranding = {
  name: 'Acme',
  color: '#1a2b3c',
  logo: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
};

const exampleVariantSummary = {
  id: exampleIds.variant,
  type: 'markdown' as const,
  content_type: 'text/markdown',
  size_bytes: 40,
  created_at: '2026-11-21 09:30:07',
};

const exampleSha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const exampleFile = {
  id: exampleIds.file,
  space: 'default',
  filename: 'contract.pdf',
  content_type: 'application/pdf',
  size_bytes: 48_213,
  status: 'completed' as const,
  job_id: exampleIds.job,
  external_id: 'invoice-2031',
  metadata: { department: 'legal' },
  created_at: '2026-11-21 09:30:00',
  updated_at: '2026-11-21 09:30:08',
  sha256: exampleSha256,
  variants: [exampleVariantSummary],
};

export const exampleVariant = {
  ...exampleVariantSummary,
  file_id: exampleIds.file,
  provider: 'document_extractor',
  content: '# Contract\n\nA notice of termination must…',
  content_url: 'https://kiln.example.com/v1/content/AQ0fOi…',
};

export const exampleDownload = {
  url: 'https://objects.example.com/kiln/source?X-Amz-Signature=0f3a',
  expires_in: 3600,
};

export const exampleJob = {
  id: exampleIds.job,
  file_id: exampleIds.file,
  space: 'default',
  status: 'completed' as const,
  provider: 'document_extractor' as const,
  step: 'finish' as const,
  progress: 1,
  attempts: 1,
  error: null,
  batch_id: null,
  created_at: '2026-11-21 09:30:00',
  started_at: '2026-11-21 09:30:01',
  completed_at: '2026-11-21 09:30:08',
  ended_at: '2026-11-21 09:30:08',
};

const exampleStep = {
  attempt: 1,
  provider: null,
  status: 'completed' as const,
  started_at: '2026-11-21 09:30:07',
  ended_at: '2026-11-21 09:30:07',
  error: null,
};

export const exampleTimeline = [
  {
    ...exampleStep,
    step: 'extract' as const,
    provider: 'document_extractor',
    started_at: '2026-11-21 09:30:01',
    duration_ms: 5_843,
  },
  { ...exampleStep, step: 'metadata' as const, duration_ms: 21 },
  { ...exampleStep, step: 'index' as const, ended_at: '2026-11-21 09:30:08', duration_ms: 388 },
  {
    ...exampleStep,
    step: 'finish' as const,
    started_at: '2026-11-21 09:30:08',
    ended_at: '2026-11-21 09:30:08',
    duration_ms: 12,
  },
];

const { id, space, filename, content_type, size_bytes } = exampleFile;

export const exampleCreated = {
  id,
  space,
  filename,
  content_type,
  size_bytes,
  storage_key: storageKey(space, id, filename),
  status: 'uploaded' as const,
  job_id: exampleIds.job,
  external_id: null,
};

export const exampleStored = { ...exampleCreated, sha256: exampleSha256 };

const exampleSearchResult = {
  file_id: exampleIds.file,
  score: 0.83,
  scores: { text: 0.83, vector: null, rerank: null },
  snippet: 'A <mark>notice</mark> of <mark>termination</mark> must be given in writing.',
  chunk_text: 'A notice of termination must be given in writing.',
  text: 'A notice of termination must be given in writing.',
  chunk_text_truncated: false,
  highlights: [
    { start: 2, end: 8 },
    { start: 12, end: 23 },
  ],
  chunk_index: 4,
  start: 3210,
  end: 3259,
  page: 2,
  headings: ['Contract', 'Termination'],
  filename: 'contract.pdf',
  space: 'default',
  content_type: 'application/pdf',
  metadata: { department: 'legal' },
  created_at: '2026-11-21 09:30:00',
};

export const exampleSearchResponse = {
  results: [exampleSearchResult],
  total: 1,
  query: 'termination notice',
  mode: 'text' as const,
  served: ['text' as const],
  not_served: [],
};

export const exampleAnswer = {
  answer: 'A notice of termination must be given in writing [1].',
  question: 'How is a contract terminated?',
  sources: [
    {
      citation: 1,
      file_id: exampleIds.file,
      fileId: exampleIds.file,
      filename: exampleFile.filename,
      snippet: 'A notice of <mark>termination</mark> must be given in writing.',
      score: 0.83,
      start: 5_120,
      end: 6_044,
      page: 3,
      regions: [{ page: 3, x: 0.12, y: 0.08, width: 0.76, height: 0.41 }],
    },
  ],
  citations: [
    {
      citation: 1,
      position: 49,
      quote: {
        text: 'A notice of termination must be given in writing.',
        start: 5_300,
        end: 5_349,
        page: 3,
        regions: [{ page: 3, x: 0.12, y: 0.22, width: 0.4, height: 0.02 }],
      },
    },
  ],
  omitted_statements: 0,
  model: 'gpt-5-mini',
  usage: { prompt_tokens: 1_480, completion_tokens: 21 },
};

export const exampleApiKey = {
  id: exampleIds.key,
  name: 'Nightly import',
  prefix: 'kiln_live_x9Qm',
  scopes: ['files:read' as const, 'files:write' as const],
  mode: 'live' as const,
  expires_at: '2027-11-21 00:00:00',
  last_used_at: '2026-11-21 09:30:05',
  created_at: '2026-11-20 16:00:00',
};
