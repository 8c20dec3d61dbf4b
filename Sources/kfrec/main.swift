print("kfrec")
