// CORS rules for web pages that load objects from the bucket. Wasabi, Supabase and MinIO permit all origins.
import { json, named, type AccessOptions, type AccessText } from './access-options.js';
import { shellWord } from './shell-word.js';

const ORIGIN = 'https://app.example.com';
const MAX_AGE_SECONDS = 3_600;
const ABOUT =
  'Only for web pages that load from the bucket, or upload into it, by signed URLs. Replace the origin with that of your pages.';

const methodsOf = ({ mayUpload }: AccessOptions) => ['GET', 'HEAD', ...(mayUpload ? ['PUT'] : [])];

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html */
const s3Rules = (options: AccessOptions) => [
  {
    AllowedOrigins: [ORIGIN],
    AllowedMethods: methodsOf(options),
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag'],
    MaxAgeSeconds: MAX_AGE_SECONDS,
  },
];

/** None with a shared access signature, by which Kiln signs no URLs. */
export function corsRules(options: AccessOptions): AccessText[] {
  const { provider, kind, bucket, endpoint, account } = options;
  if (kind === 'sharedAccessSignature') return [];
  const rule = (title: string, text: string): AccessText[] => [{ title, about: ABOUT, text }];
  switch (provider) {
    case 's3':
    case 'r2':
      return rule('CORS rules', json(s3Rules(options)));
    case 'b2':
    case 'spaces_store': {
      const place = `--endpoint-url ${shellWord(named(endpoint, 'endpoint'))} --bucket ${shellWord(named(bucket, 'bucket'))}`;
      const rules = shellWord(JSON.stringify({ CORSRules: s3Rules(options) }));
      return rule('CORS command', `aws s3api put-bucket-cors ${place} \\\n  --cors-configuration ${rules}`);
    }
    case 'gcs':
      return rule('CORS commands', googleCors(options));
    case 'container_blob':
      return rule(
        'CORS command',
        `az storage cors add --services b --account-name ${shellWord(named(account, 'account'))} --origins ${ORIGIN} \\
  --methods ${methodsOf(options).join(' ')} --allowed-headers '*' --exposed-headers ETag --max-age ${MAX_AGE_SECONDS}`,
      );
    case 'selfhost_s3':
    case 'hot_store':
    case 'backend_storage':
      return [];
  }
}

/** https://cloud.google.com/storage/docs/using-cors */
function googleCors(options: AccessOptions): string {
  const rules = [
    {
      origin: [ORIGIN],
      method: methodsOf(options),
      responseHeader: ['Content-Type', 'ETag', 'x-goog-content-length-range'],
      maxAgeSeconds: MAX_AGE_SECONDS,
    },
  ];
  const bucket = shellWord(`gs://${named(options.bucket, 'bucket')}`);
  return `cat > cors.json <<'END'\n${json(rules)}\nEND\ngcloud storage buckets update ${bucket} --cors-file=cors.json`;
}
