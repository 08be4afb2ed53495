"""A remote worker in plain Python 3: it fetches work, keeps its lease, and answers for it."""
import json, os, threading, time, urllib.error, urllib.request, uuid

URL, KEY = os.environ["PERDURE_URL"], os.environ["PERDURE_KEY"]
WORKER, LEASE_S = f"python-{uuid.uuid4()}", 30

def post(path, body):
    headers = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
    data = json.dumps({"worker": WORKER, **body}).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers), timeout=60) as reply:
        return json.loads(reply.read() or "null")

def insist(path, body):  # the same answer again is no second one
    for pause in [1, 2, 4, 8, 16, 0]:
        try:
            return post(path, body)
        except OSError as error:  # of the network, or a status that is no success
            print(f"{path}: {error}", flush=True)
            if isinstance(error, urllib.error.HTTPError) and error.code < 500 and error.code != 429:
                return  # 409: somebody else has the work by now
            time.sleep(pause)

def run(handlers):
    while True:
        found = insist("/work/fetch", {"handlers": list(handlers), "lease": f"{LEASE_S}s", "wait": "30s"})
        if found is None:
            time.sleep(10)
        for work in (found or {"assignments": []})["assignments"]:
            done, here = threading.Event(), f"/work/{work['id']}"
            def keep(done=done, here=here):
                while not done.wait(LEASE_S / 3):
                    insist(f"{here}/extend", {"lease": f"{LEASE_S}s"})
            threading.Thread(target=keep, daemon=True).start()
            try:
                insist(f"{here}/complete", {"result": handlers[f"{work['flow']}/{work['type']}"](work)})
            except Exception as error:
                insist(f"{here}/fail", {"error": {"message": str(error), "code": type(error).__name__}})
            done.set()

run({"order/label": lambda work: {"tracking": f"T-{work['input']['sku']}"}})
