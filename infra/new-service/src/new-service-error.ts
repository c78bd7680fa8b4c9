/** The service cannot be created. The message says why and what to do. */
export class NewServiceError extends Error {
  override readonly name = 'NewServiceError';

  constructor(
    readonly code: 'name_invalid' | 'name_taken' | 'place_missing',
    message: string,
  ) {
    super(message);
  }
}
