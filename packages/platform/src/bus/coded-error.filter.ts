// Nest would turn what it does not know into a bare "Internal server error" of its own; our transport needs the original.
import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

@Catch()
export class CodedErrorFilter implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
