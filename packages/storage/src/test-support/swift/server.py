"""All of OpenStack Swift with its S3 API in one process, for tests: proxy, account, container and object server.

Usage: server.py <folder with swift.conf, rings and one .conf per server> <proxy port> <account> <container> <object port>
"""
import sys

from swift.common import utils

utils.eventlet_monkey_patch()

import eventlet
from eventlet import wsgi
from swift.common import storage_policy

folder, ports = sys.argv[1], [int(port) for port in sys.argv[2:6]]
utils.set_swift_dir(folder)
storage_policy.reload_storage_policies()

from swift.common.wsgi import SwiftHttpProtocol, loadapp


class Memory:
    """Stands in for memcached, which Swift asks for by these calls."""

    def __init__(self):
        self.values = {}

    def get(self, key, raise_on_error=False):
        return self.values.get(key)

    def set(self, key, value, serialize=True, time=0, min_compress_len=0, raise_on_error=False):
        self.values[key] = value

    def incr(self, key, delta=1, time=0):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]

    def delete(self, key, server_key=None):
        self.values.pop(key, None)


def with_memory(app, memory):
    def run(environment, start_response):
        environment['swift.cache'] = memory
        return app(environment, start_response)

    return run


class Silence:
    def write(self, *words):
        pass


running = []
for name, port in zip(('proxy', 'account', 'container', 'object'), ports):
    app = loadapp(f'{folder}/{name}.conf', global_conf={'log_name': name})
    if name == 'proxy':
        app = with_memory(app, Memory())
    socket = eventlet.listen(('127.0.0.1', port))
    running.append(eventlet.spawn(wsgi.server, socket, app, Silence(), protocol=SwiftHttpProtocol, log_output=False))
print('ready', flush=True)
running[0].wait()
