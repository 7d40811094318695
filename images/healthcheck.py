"""Exit code 0 when every address given answers with success: the health check of our images, which have no curl."""

import sys
import urllib.request

for address in sys.argv[1:]:
    urllib.request.urlopen(address, timeout=5).close()
