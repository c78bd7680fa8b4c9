import { Kiln } from '@kiln/sdk';
import { render } from 'preact';
import { safeMarkdown } from '@kiln/console/ui/safe-markdown.js';
import '@kiln/console/ui/tokens.css';
const kiln = new Kiln({ baseUrl: location.origin, portalToken: 'x' });
document.body.append(safeMarkdown('x'));
render(<p>{String(kiln.portal)}</p>, document.body);
